/** Detects whether this desktop shows tray icons. On Linux, the session bus reports it. */
import { execFile } from 'node:child_process';

const timeoutMs = 3000;

/** Returns whether a host for tray icons is registered; true on systems other than Linux. Never rejects. */
export async function hasTrayHost(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const reply = await dbusSend([
    '--dest=org.kde.StatusNotifierWatcher',
    '/StatusNotifierWatcher',
    'org.freedesktop.DBus.Properties.Get',
    'string:org.kde.StatusNotifierWatcher',
    'string:IsStatusNotifierHostRegistered',
  ]);
  return /boolean true/.test(reply);
}

/** dbus-send is part of D-Bus itself; without it there is no usable session bus. */
function dbusSend(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('dbus-send', ['--session', '--print-reply', ...args], { timeout: timeoutMs }, (error, stdout) =>
      resolve(error ? '' : stdout),
    );
  });
}
