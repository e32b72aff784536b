/**
 * Opens folders, files and addresses in other programs without waiting for them: on Linux, Electron's `shell`
 * functions block the main process until the other program responds, possibly forever.
 */
import { spawn } from 'node:child_process';
import { clipboard, shell } from 'electron';
import { clock } from '../../api/time/clock.ts';
import type { Log } from '../../server/logging/log.ts';
import { exchange } from '../../server/net/exchange.ts';
import { showNotification } from './dialogs.ts';
import { mayOpenExternally } from './pagePolicy.ts';

/** The time to wait for an error of `xdg-open`, in milliseconds; later errors are not reported. */
const failureWaitMs = 3000;
/** The timeout for a copied address to respond, in milliseconds. */
const addressTimeoutMs = 2000;

/** Opens a folder or file. @throws Error with a user-facing message when the system can't */
export async function openPath(path: string): Promise<void> {
  if (process.platform === 'linux') return openWithXdg(path);
  const failure = await shell.openPath(path);
  if (failure !== '') throw new Error(`The system can’t open ${path}: ${failure}`);
}

/** Opens an address. @throws Error when other programs may not open it, or the system can't */
export async function openAddress(url: string): Promise<void> {
  if (!mayOpenExternally(url)) {
    throw new Error(`${url} is not an address that may be opened in another program`);
  }
  if (process.platform === 'linux') return openWithXdg(url);
  await shell.openExternal(url);
}

/**
 * Copies an address, and warns if it does not respond from this machine, for example because of a firewall or a name
 * that cannot be resolved.
 */
export function copyAddress(address: string, log: Log): void {
  clipboard.writeText(address);
  void exchange(new URL('health', address), { timeoutMs: addressTimeoutMs, readsBody: () => false }).then(
    (response) => {
      if (response.ok) return;
      log.warn(`${address} was copied, but does not answer: ${response.reason}`);
      showNotification(
        'Address copied, but it does not answer',
        `${address}: check its name and the firewall of this machine.`,
      );
    },
  );
}

function openWithXdg(target: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('xdg-open', [target], { detached: true, stdio: 'ignore' });
    const timer = clock.setTimeout(() => resolve(), failureWaitMs);
    child.once('error', () => {
      clock.clearTimeout(timer);
      reject(new Error(`Nothing on this machine opens ${target}: xdg-open is not installed (package xdg-utils)`));
    });
    child.once('exit', (code) => {
      clock.clearTimeout(timer);
      if (code === 0 || code === null) resolve();
      else reject(new Error(`No program on this machine opens ${target} (xdg-open: exit code ${code})`));
    });
    child.unref();
  });
}
