import express from 'express';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { requestScope } from '../http/requests.ts';
import { silentLog } from '../logging/log.ts';
import { handleUncaughtErrors } from './uncaughtErrors.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

describe('the handler of uncaught errors', () => {
  /** Removes vitest's own listeners, which would fail the test. */
  function install(): { readonly exit: ReturnType<typeof vi.fn>; readonly lines: string[] } {
    const others = (['uncaughtException', 'unhandledRejection'] as const).map((event) => {
      const listeners = process.listeners(event as 'uncaughtException');
      process.removeAllListeners(event);
      return () => {
        for (const listener of listeners) process.on(event as 'uncaughtException', listener);
      };
    });
    const lines: string[] = [];
    const exit = vi.fn();
    const remove = handleUncaughtErrors({ ...silentLog, error: (message) => void lines.push(message) }, exit);
    closers.push(remove, ...others);
    return { exit, lines };
  }

  it.each([
    [
      'throws in a timer',
      () =>
        setTimeout(() => {
          throw new Error('in a timer');
        }, 0),
      'in a timer',
    ],
    ['rejects without a handler', () => void Promise.reject(new Error('unheard')), 'unheard'],
    [
      'rejects later',
      () =>
        setTimeout(
          () =>
            void Promise.resolve().then(() => {
              throw new Error('later');
            }),
          5,
        ),
      'later',
    ],
  ])('responds to a request whose handler %s, and the process continues', async (_name, fail, expected) => {
    const { exit, lines } = install();
    const app = express();
    app.use(requestScope);
    app.get('/fails', () => void fail());
    app.get('/well', (_request, response) => void response.json({ well: true }));
    const server = app.listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await vi.waitFor(() => expect(server.listening).toBe(true));
    const { port } = server.address() as AddressInfo;
    expect(await sendRequest(port, '/fails')).toMatchObject({
      status: 500,
      body: '{"detail":"Internal Server Error"}',
    });
    expect(await sendRequest(port, '/well')).toMatchObject({ status: 200 });
    expect(lines).toEqual([expect.stringContaining(expected)]);
    expect(exit).not.toHaveBeenCalled();
  });

  it('ends the process once when its own state may be damaged', async () => {
    const { exit, lines } = install();
    setTimeout(() => {
      throw new TypeError('ours');
    }, 0);
    const handled = new Promise<void>((resolve) => {
      setTimeout(() => {
        setImmediate(resolve);
        throw new TypeError('ours too');
      }, 0);
    });
    await handled;
    expect(lines).toEqual([expect.stringContaining('its state may be broken')]);
    expect(exit.mock.calls).toEqual([[1, 'Uncaught exception: ours']]);
  });
});
