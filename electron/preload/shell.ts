/**
 * The preload bridge of the shell's pages; the dashboard in the same window gets only the notices and their buttons.
 * CommonJS, because a sandboxed preload script requires it.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { NoticePress, PageCommand } from '../ipc/commands.ts';
import type { Notice, NoticesBridge, ShellBridge, ShellState } from '../ipc/contract.ts';

const request = 'shell:request';
const state = 'shell:state';
const notices = 'shell:notices';
const pressNotice = 'shell:press-notice';
const printing = 'shell:printing';

const bridge: ShellBridge = {
  request: (command: PageCommand) => ipcRenderer.invoke(request, command),
  onState: (listener) => {
    ipcRenderer.on(state, (_event, shown: ShellState) => listener(shown));
  },
};

let latest: readonly Notice[] = [];
const listeners: ((shown: readonly Notice[]) => void)[] = [];
const noticesBridge: NoticesBridge = {
  onNotices: (listener) => {
    listeners.push(listener);
    listener(latest);
  },
  press: (id, press) => ipcRenderer.send(pressNotice, { id, press } satisfies NoticePress),
};

const { location, addEventListener } = globalThis as unknown as {
  location: { protocol: string };
  addEventListener: (event: string, listener: () => void) => void;
};
// A page executes no script while its printer dialog is open.
addEventListener('beforeprint', () => ipcRenderer.send(printing, true));
addEventListener('afterprint', () => ipcRenderer.send(printing, false));
if (location.protocol === 'lab-manager:') contextBridge.exposeInMainWorld('labManagerShell', bridge);
else {
  ipcRenderer.on(notices, (_event, shown: readonly Notice[]) => {
    latest = shown;
    for (const listener of listeners) listener(shown);
  });
  contextBridge.exposeInMainWorld('labManagerNotices', noticesBridge);
}
