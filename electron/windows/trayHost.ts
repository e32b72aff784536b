/** Whether this desktop shows tray icons at all. On Linux the session bus knows. */
import { execFile } from 'node:child_process';

const timeoutMs = 1500;

/** On Linux: whether somebody hosts status icons now. Elsewhere the system does. Never rejects. */
export async function hasTrayHost(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const answer = await dbusSend([
    '--dest=org.kde.StatusNotifierWatcher',
    '/StatusNotifierWatcher',
    'org.freedesktop.DBus.Properties.Get',
    'string:org.kde.StatusNotifierWatcher',
    'string:IsStatusNotifierHostRegistered',
  ]);
  return /boolean true/.test(answer);
}

/** dbus-send is part of D-Bus itself; where it is missing there is no session bus worth asking. */
function dbusSend(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('dbus-send', ['--session', '--print-reply', ...args], { timeout: timeoutMs }, (error, stdout) =>
      resolve(error ? '' : stdout),
    );
  });
}
