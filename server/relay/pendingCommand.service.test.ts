/** A relayed command that has no response when the service stops. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { makeService } from '../../e2e/support/service.ts';

it('a relayed command that is pending when the service stops is recorded', async () => {
  const received: string[] = [];
  const workcell = http.createServer((request, response) => {
    if (request.method === 'POST') received.push(request.url ?? '');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => workcell.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    workcell.close();
    workcell.closeAllConnections();
  });
  const port = await pickFreePort();
  const service = await makeService({
    env: {
      LAB_REMOTE_ACCESS: 'operate',
      LAB_LISTEN_PORT: String(port),
      WORKCELL_SERVER_URL: `http://127.0.0.1:${(workcell.address() as AddressInfo).port}/`,
    },
  });
  onTestFinished(() => service.stop());
  await service.manager.start();
  const lock = '/managers/workcell/admin/lock/arm';
  const pending = sendRequest(port, lock, { method: 'POST' }).catch((error: unknown) => error);
  await expect.poll(() => received).toEqual(['/admin/lock/arm']);
  await service.manager.stop();
  await pending;
  const folder = service.statePath('commands', port);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(files.filter((text) => text.includes('workcell/admin/lock/arm'))).toHaveLength(1);
});
