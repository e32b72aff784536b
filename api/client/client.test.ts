import { expect, it } from 'vitest';
import { workcellApi } from '../managers/workcell.ts';
import { createClient } from './client.ts';
import { ManagerError } from './managerError.ts';

const rejection = (response: Promise<unknown>) =>
  response.then(
    () => null,
    (error: unknown) => error,
  );

it('a browser client distinguishes an unreachable manager from an unreadable response', async () => {
  const fetchError = new TypeError('Failed to fetch');
  const requests: string[] = [];
  const browser = (isReachableWithoutCors: boolean) => (url: unknown, init?: { mode?: string }) => {
    requests.push(String(url));
    return init?.mode === 'no-cors' && isReachableWithoutCors
      ? Promise.resolve(new Response())
      : Promise.reject(fetchError);
  };
  const cancel = (isRunning: boolean) =>
    rejection(
      createClient(workcellApi, {
        baseUrl: 'http://lab:8005',
        fetch: browser(isRunning) as typeof fetch,
      }).cancelWorkflow({ workflow_id: 'w' }),
    );
  const failed = await cancel(true);
  expect(failed).toBeInstanceOf(ManagerError);
  expect(failed).toMatchObject({
    kind: 'unreadable',
    cause: fetchError,
    reason: 'Workcell Manager is running, but the request failed or the page is not allowed to read the response',
    message: expect.stringMatching(/no readable answer from Workcell Manager \(lab:8005\)/) as string,
  });
  expect(requests).toEqual(['http://lab:8005/workflow/w/cancel', 'http://lab:8005/health']);
  const unreachable = await cancel(false);
  expect(unreachable).toBeInstanceOf(ManagerError);
  expect(unreachable).toMatchObject({ kind: 'unreachable' });
});

it('the client reports an invalid base address', async () => {
  const error = await rejection(createClient(workcellApi, { baseUrl: 'no address' }).getNodes());
  expect(error).toBeInstanceOf(ManagerError);
  expect(error).toMatchObject({ kind: 'unreachable', reason: 'this is not an address' });
});
