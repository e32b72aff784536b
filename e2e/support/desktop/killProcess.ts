/** Kills processes of the app under test. */
import type { ElectronApplication } from 'playwright';
import { getServicePid } from './desktopApp.ts';

/** Kills a process, which must run. Returns its process ID. */
export function killProcess(pid: number | null | undefined): number {
  // Signalling process 0 would hit this process.
  if (!pid) throw new Error('The process does not run');
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Kills the service, which must run. Returns its process ID. */
export async function killService(app: ElectronApplication): Promise<number> {
  return killProcess(await getServicePid(app));
}
