import express from 'express';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { requestScope } from '../http/requests.ts';
import { canContinue, handleUncaughtErrors } from './uncaughtErrors.ts';
import { silentLog } from '../logging/log.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'read' });
const coded = (code: string) => Object.assign(new Error(code), { code });

describe('canContinue', () => {
  it.each([
    ['an error of a request', new TypeError('x'), true, 0, true],
    ['a thrown text in a request', 'text', true, 0, true],
    ['a socket that closed', system('ECONNRESET'), false, 0, true],
    ['too many open files', system('EMFILE'), false, 19, true],
    ['a stream that has ended', coded('ERR_STREAM_WRITE_AFTER_END'), false, 0, true],
    ['headers sent twice', coded('ERR_HTTP_HEADERS_SENT'), false, 0, true],
    ['an error of our own code', new TypeError('x'), false, 0, false],
    ['a wrong argument', coded('ERR_INVALID_ARG_TYPE'), false, 0, false],
    ['a thrown undefined', undefined, false, 0, false],
    ['too many errors in a minute', system('ECONNRESET'), false, 20, false],
    ['too many errors of requests', new TypeError('x'), true, 20, false],
  ])('is $4 after %s', (_name, error, inRequest, survived, expected) => {
    expect(canContinue({ error, inRequest, survivedErrors: survived })).toBe(expected);
  });
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
    setTimeout(() => {
      throw new TypeError('ours too');
    }, 0);
    await vi.waitFor(() => expect(lines).toHaveLength(2));
    expect(lines[0]).toContain('its state may be broken');
    expect(exit.mock.calls).toEqual([[1, 'Uncaught exception: ours']]);
  });
});
