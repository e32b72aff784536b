/** What only the app can tell: whether its pages are locked in, and whether its tray icon is seen. */
import { nothingToDo, type AppFacts, type Check, type Finding } from './check.ts';

const headless = (why: string): Finding => ({
  result: 'unknown',
  what: 'Only the app has that.',
  why,
  whatToDo: nothingToDo,
});

export function sandboxVerdict(app: AppFacts | null): Finding {
  const why = 'The sandbox keeps a page that was taken over away from this machine’s files and programs.';
  if (app === null) return headless(why);
  return app.sandboxed
    ? { result: 'ok', what: 'Pages run in the sandbox.', why, whatToDo: nothingToDo }
    : {
        result: 'warning',
        what: 'Pages run without the sandbox.',
        why,
        whatToDo: 'Start the app as an ordinary user, not as root, and without --no-sandbox.',
      };
}

export function trayHostVerdict(app: AppFacts | null): Finding {
  const why = 'The tray icon says at a glance whether the lab is well, also while the window is closed.';
  if (app === null) return headless(why);
  return app.trayHost
    ? { result: 'ok', what: 'The desktop shows the tray icon.', why, whatToDo: nothingToDo }
    : {
        result: 'warning',
        what: 'This desktop shows no tray icons.',
        why,
        whatToDo:
          'On GNOME, install and enable the extension AppIndicator; other desktops have a system tray to add to a panel.',
      };
}

export const sandbox: Check = {
  id: 'sandbox',
  title: 'Sandbox',
  run: ({ app }) => Promise.resolve(sandboxVerdict(app)),
};

export const trayHost: Check = {
  id: 'tray-host',
  title: 'Tray',
  run: ({ app }) => Promise.resolve(trayHostVerdict(app)),
};
