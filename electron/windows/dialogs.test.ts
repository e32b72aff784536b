import { EventEmitter } from 'node:events';
import { BrowserWindow, dialog, type MessageBoxReturnValue } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { chooseTargetFile, closeDialogs, confirmDiscard, confirmMachineDialog, confirmRestart } from './dialogs.ts';

vi.mock('electron', () => ({
  BrowserWindow: { getFocusedWindow: vi.fn(() => null), getAllWindows: vi.fn() },
  dialog: { showMessageBox: vi.fn(), showSaveDialog: vi.fn() },
}));

const shown: { readonly text: string; readonly answer: (button: number) => void }[] = [];

/** A hidden window that records what happens to it. */
function hiddenWindow(id: number) {
  const calls: string[] = [];
  const record = (name: string) => () => void calls.push(name);
  const window = Object.assign(new EventEmitter(), {
    id,
    isDestroyed: () => false,
    isMinimized: () => false,
    show: record('show'),
    focus: record('focus'),
    setEnabled: record('enable'),
  });
  return { window: window as unknown as BrowserWindow, calls };
}
const lab = hiddenWindow(1);

beforeEach(() => {
  vi.clearAllMocks();
  shown.length = 0;
  lab.calls.length = 0;
  vi.mocked(BrowserWindow.getAllWindows).mockReturnValue([hiddenWindow(2).window, lab.window]);
  vi.mocked(dialog.showMessageBox).mockImplementation(
    ((owner: BrowserWindow, options: Electron.MessageBoxOptions): Promise<MessageBoxReturnValue> =>
      new Promise((resolve) => {
        const answer = (response: number): void => resolve({ response, checkboxChecked: false });
        options.signal?.addEventListener('abort', () => answer(options.cancelId ?? 0));
        shown.push({ text: `${owner.id}: ${options.message}`, answer });
      })) as typeof dialog.showMessageBox,
  );
});

it('a dialog belongs to the lab’s window, which is shown first and stays enabled', async () => {
  const answer = confirmRestart();
  expect(lab.calls).toEqual(['show', 'focus', 'enable']);
  expect(shown.map(({ text }) => text)).toEqual(['1: Restart Lab Manager now?']);
  shown[0]?.answer(0);
  expect(await answer).toBe(true);
});

it('a second request raises the open dialog and counts as cancelled', async () => {
  const first = confirmRestart();
  expect(await confirmRestart()).toBe(false);
  expect(shown).toHaveLength(1);
  expect(lab.calls).toEqual(['show', 'focus', 'enable', 'show', 'focus']);
  shown[0]?.answer(0);
  expect(await first).toBe(true);
});

it('a second folder chooser is not opened', async () => {
  let choose: (folder: string) => void = () => undefined;
  vi.mocked(dialog.showSaveDialog).mockReturnValue(
    new Promise((resolve) => (choose = (filePath) => resolve({ canceled: false, filePath }))),
  );
  const first = chooseTargetFile('diagnostics', {});
  expect(await chooseTargetFile('diagnostics', {})).toBeNull();
  choose('/lab.zip');
  expect(await first).toBe('/lab.zip');
  expect(dialog.showSaveDialog).toHaveBeenCalledOnce();
});

it('a dialog about another lab replaces the open one, and is closed when its reason is gone', async () => {
  const first = confirmMachineDialog('lab A', []);
  const second = confirmMachineDialog('lab B', []);
  expect(await first).toBe(false);
  expect(shown.map(({ text }) => text)).toEqual(['1: Allow commands to lab A?', '1: Allow commands to lab B?']);
  closeDialogs('machine');
  expect(await second).toBe(false);
});

it('a dialog about unsaved input belongs to the window of the input, and closes with it', async () => {
  const settings = hiddenWindow(3);
  const answer = confirmDiscard(settings.window);
  expect(shown.map(({ text }) => text)).toEqual(['3: Discard unsaved input?']);
  settings.window.emit('closed');
  expect(await answer).toBe(false);
});
