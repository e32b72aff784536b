/** Parses the app's command line. */
import { programOptions } from '../../server/settings/parse/commandLine.ts';

const windowlessOptions: ReadonlySet<string> = new Set(
  (
    [
      'headless',
      'help',
      'version',
      'checkSettings',
      'doctor',
      'bundle',
      'status',
      'safetyStop',
      'ping',
      'maintenance',
      'notifyTest',
      'user',
      'token',
    ] as const
  ).flatMap((name) => programOptions[name].names),
);

/** Returns whether this command line needs no window. */
export function isHeadlessRequested(argv: readonly string[]): boolean {
  return argv.slice(1).some((argument) => windowlessOptions.has(argument.replace(/=.*$/s, '')));
}

/** Returns whether this command line requests the demo lab. */
export function isDemoRequested(argv: readonly string[]): boolean {
  return programOptions.demo.names.some((name) => argv.includes(name));
}

/** The request of a second start to the running app, or the options that the running app rejects. */
type SecondStart =
  | { readonly kind: 'show' }
  | { readonly kind: 'demo' }
  /** The end of the running app, for example for an installer. */
  | { readonly kind: 'quit' }
  /** Nothing, for example at login: the app already runs and its window isn't requested. */
  | { readonly kind: 'hidden' }
  /** Its options would change the lab manager that is already in use. */
  | { readonly kind: 'refused'; readonly options: readonly string[] };

/** @param argv the whole command line of the second start */
export function parseSecondStart(argv: readonly string[]): SecondStart {
  if (isQuitRequested(argv)) return { kind: 'quit' };
  const options = argv.filter((argument) => /^--(lab-|[a-z]+-server-url|settings-dir)/.test(argument));
  if (options.length > 0) return { kind: 'refused', options };
  if (isDemoRequested(argv)) return { kind: 'demo' };
  return isHiddenRequested(argv) ? { kind: 'hidden' } : { kind: 'show' };
}

/** Returns whether this command line requests the end of the running app. */
export function isQuitRequested(argv: readonly string[]): boolean {
  return programOptions.quit.names.some((name) => argv.includes(name));
}

/** Returns whether this command line requests a start in the tray. */
export function isHiddenRequested(argv: readonly string[]): boolean {
  return programOptions.hidden.names.some((name) => argv.includes(name));
}

/** Returns the same command line for a start with a window. */
export function dropHiddenFlag(argv: readonly string[]): string[] {
  return argv.filter((argument) => !programOptions.hidden.names.some((name) => name === argument));
}

/** Returns the message about rejected options. */
export function rejectionText(options: readonly string[]): string {
  return (
    `Lab Manager is already running, so ${options.join(' ')} can’t take effect. ` +
    'Quit it first, or start the service alone with --headless on another port.'
  );
}
