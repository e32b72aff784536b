/** Why what is changed in the Settings window may not be seen in the window with the lab. Pure. */
import type { ServiceStatus } from '../../server/status.ts';

export interface Shown {
  readonly status: ServiceStatus;
  readonly showsDemo: boolean;
  /** The lab manager on another machine whose lab is shown. */
  readonly follows: string | null;
}

export function settingsNote({ status, showsDemo, follows }: Shown): string | null {
  if (showsDemo) return 'The window shows the demo lab, which does not use these settings.';
  if (follows !== null) {
    return `The window shows the lab of ${follows}, with the addresses of that lab manager. The addresses here are used when this machine’s lab is shown again.`;
  }
  if (status.phase === 'attached') {
    return `The lab manager at ${status.url} was started outside this app, and has settings of its own. The settings here are used when this app runs the service.`;
  }
  return null;
}
