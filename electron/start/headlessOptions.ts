/** Which command lines need no window. Apart from what they run, so that the app doesn't load it. */
import { programOptions } from '../../server/settings/parse/programOptions.ts';

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
