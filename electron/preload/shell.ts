/**
 * The bridge of the shell's own pages. The same window shows the dashboard too, so it looks where it is: a page that
 * isn't the shell's gets nothing. CommonJS, because a sandboxed preload can't be anything else.
 */
import { contextBridge, ipcRenderer } from 'electron';
import type { ShellAnswer, ShellBridge, ShellPage, ShellRequest } from '../ipc/contract.ts';

const ask = 'shell:ask';
const page = 'shell:page';

const bridge: ShellBridge = {
  ask: (request: ShellRequest) => ipcRenderer.invoke(ask, request) as Promise<ShellAnswer>,
  onPage: (listener) => {
    ipcRenderer.on(page, (_event, shown: ShellPage) => listener(shown));
  },
};

const { location } = globalThis as unknown as { location: { protocol: string } };
if (location.protocol === 'lab-manager:') contextBridge.exposeInMainWorld('labManagerShell', bridge);
