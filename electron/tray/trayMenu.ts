/** What the tray's menu is made of, and what its entries do. */
import type { MaintenanceSubject } from '../../api/lab/lab.ts';
import type { EndChoice } from '../maintenance/endTimes.ts';

export type TrayAction =
  | { readonly do: 'open-dashboard' }
  | { readonly do: 'open-in-browser' }
  | { readonly do: 'open-manager'; readonly url: string }
  | { readonly do: 'copy'; readonly text: string }
  | { readonly do: 'check-now' }
  | { readonly do: 'safety-stop' }
  /** The report of the last safety stop, or of the one in force. */
  | { readonly do: 'open-stop' }
  | { readonly do: 'restart-service' }
  | { readonly do: 'serve-here' }
  | { readonly do: 'connect' }
  | { readonly do: 'use-own-lab' }
  | { readonly do: 'confirm-machine' }
  | { readonly do: 'open-settings' }
  | { readonly do: 'open-logs' }
  /** Of the dashboard, by its path. */
  | { readonly do: 'open-page'; readonly path: string }
  /** `subject` null: all notifications. */
  | { readonly do: 'mute'; readonly subject: string | null; readonly choice: EndChoice | 'off' }
  | { readonly do: 'maintenance'; readonly subject: MaintenanceSubject; readonly choice: EndChoice | 'off' }
  | { readonly do: 'open-maintenance' }
  | { readonly do: 'quit' };

export type TrayMenuItem =
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'action'; readonly label: string; readonly action: TrayAction; readonly enabled: boolean }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayMenuItem[] };
