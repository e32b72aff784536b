/** What a command line asks of the app. Apart from what they run, so that nothing of that is loaded for it. Pure. */
import { programOptions } from '../../server/settings/parse/commandLine.ts';

const { demo, headless, help, version, checkSettings, doctor, bundle, status, maintenance, notifyTest } =
  programOptions;
const withoutWindow: ReadonlySet<string> = new Set(
  [headless, help, version, checkSettings, doctor, bundle, status, maintenance, notifyTest].flatMap(
    (option) => option.names,
  ),
);

/** Whether this command line asks for something that needs no window. */
export function headlessRequested(argv: readonly string[]): boolean {
  return argv.slice(1).some((argument) => withoutWindow.has(argument.replace(/=.*$/s, '')));
}

/** Whether this command line asks for the simulated lab. */
export function demoRequested(argv: readonly string[]): boolean {
  return demo.names.some((name) => argv.includes(name));
}

/** A second start while the app runs: what reaches the first app, and what can't be done for it. */
type SecondStart =
  | { readonly kind: 'show' }
  | { readonly kind: 'demo' }
  /** At login, say: it runs already, and nobody asked for its window. */
  | { readonly kind: 'hidden' }
  /** Its options would change the lab manager that runs for everybody. */
  | { readonly kind: 'refused'; readonly options: readonly string[] };

/** @param argv the whole command line of the second start */
export function secondStart(argv: readonly string[]): SecondStart {
  const options = argv.filter((argument) => /^--(lab-|[a-z]+-server-url|settings-dir)/.test(argument));
  if (options.length > 0) return { kind: 'refused', options };
  if (demoRequested(argv)) return { kind: 'demo' };
  return hiddenRequested(argv) ? { kind: 'hidden' } : { kind: 'show' };
}

/** Whether this command line asks for a start in the tray. */
export function hiddenRequested(argv: readonly string[]): boolean {
  return programOptions.hidden.names.some((name) => argv.includes(name));
}

/** The same command line, for a start with its window. */
export function withoutHidden(argv: readonly string[]): string[] {
  return argv.filter((argument) => !programOptions.hidden.names.some((name) => name === argument));
}

/** For whoever started it. */
export function refusalText(options: readonly string[]): string {
  return (
    `Lab Manager is already running, so ${options.join(' ')} can’t take effect. ` +
    'Quit it first, or start the service alone with --headless on another port.'
  );
}
