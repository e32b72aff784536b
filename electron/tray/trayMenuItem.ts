import type { AppCommand } from '../ipc/commands.ts';

export type TrayMenuItem =
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'separator' }
  | { readonly kind: 'command'; readonly label: string; readonly command: AppCommand; readonly enabled: boolean }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayMenuItem[] };

/** An item that runs a command. */
export function commandItem(label: string, command: AppCommand, enabled = true): TrayMenuItem {
  return { kind: 'command', label, command, enabled };
}
