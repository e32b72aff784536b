/** A second start while the app runs: what reaches the first app, and what can't be done for it. Pure. */
import { programOptions } from '../../server/settings/readers/programOptions.ts';

export type SecondStart =
  | { readonly kind: 'show' }
  | { readonly kind: 'demo' }
  /** Its options would change the lab manager that runs for everybody. */
  | { readonly kind: 'refused'; readonly options: readonly string[] };

/** @param argv the whole command line of the second start */
export function secondStart(argv: readonly string[]): SecondStart {
  const options = argv.filter((argument) => /^--(lab-|[a-z]+-server-url|settings-dir)/.test(argument));
  if (options.length > 0) return { kind: 'refused', options };
  return programOptions.demo.names.some((name) => argv.includes(name)) ? { kind: 'demo' } : { kind: 'show' };
}

/** For whoever started it. */
export function refusalText(options: readonly string[]): string {
  return (
    `Lab Manager is already running, so ${options.join(' ')} can’t take effect. ` +
    'Quit it first, or start the service alone with --headless on another port.'
  );
}
