import { expect, it, vi } from 'vitest';
import { EnteredAddressError } from '../../server/attached/findLabManager.ts';
import { silentLog } from '../../server/logging/log.ts';
import { shellUrl } from './ownPages.ts';
import { handlePages } from './pageRequests.ts';

type Handler = (event: unknown, message: unknown) => Promise<unknown>;
const ipc = vi.hoisted(() => ({ handler: null as unknown }));
vi.mock('electron', () => ({
  ipcMain: { handle: (_channel: string, handler: unknown) => (ipc.handler = handler), on: () => undefined },
}));

it.each([
  ['info', new EnteredAddressError('The text entered is not an address.')],
  ['error', new Error('The disk is full')],
] as const)('a failed request is logged at the level %s', async (level, failure) => {
  const log = { ...silentLog, info: vi.fn(), error: vi.fn() };
  handlePages(() => Promise.reject(failure), log);
  const mainFrame = { url: shellUrl };
  const event = { senderFrame: mainFrame, sender: { mainFrame } };
  const reply = await (ipc.handler as Handler)(event, { command: 'test-lab', url: 'http://' });
  expect(reply).toEqual({ ok: false, error: failure.message });
  expect(log.info).toHaveBeenCalledTimes(level === 'info' ? 1 : 0);
  expect(log.error).toHaveBeenCalledTimes(level === 'error' ? 1 : 0);
});

it.each([
  ['of another origin', 'http://elsewhere/', 'warn'],
  ['of a page of the app that was just replaced', shellUrl, 'debug'],
] as const)('a request %s is refused and logged', async (_whose, url, level) => {
  const log = { ...silentLog, warn: vi.fn(), debug: vi.fn() };
  handlePages(() => Promise.resolve(null), log);
  const event = { senderFrame: { url }, sender: { mainFrame: { url: shellUrl } } };
  expect(await (ipc.handler as Handler)(event, { command: 'quit' })).toMatchObject({ ok: false });
  expect(log[level]).toHaveBeenCalledWith(`Refused a request from ${url}`);
});
