/** Notifications of a running service, across a restart, to real receivers. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { settingsResponse } from '../../api/lab/settings.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { pickFreePort, startLab } from '../../e2e/support/managers.ts';
import { startService } from '../../e2e/support/service.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import type { Reply, ShellMessage } from '../lifecycle/messages.ts';
import { ServiceHost } from '../lifecycle/serviceHost.ts';
import { makeContext } from '../diagnostics/checks/context.ts';
import { notifications } from '../diagnostics/checks/notifications.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

interface Posted {
  readonly agent: string | undefined;
  readonly title: string;
  readonly body: string;
}

async function receiver(respond: (response: http.ServerResponse) => void): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { title, body } = JSON.parse(text) as Posted;
      posted.push({ agent: request.headers['user-agent'], title, body });
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posted };
}

it('an outage from before a restart is reported once, and failed channels are listed', async () => {
  const time = useManualClock(Date.now());
  const lab = await startLab();
  ends.push(() => lab.stop());
  const accepting = await receiver((response) => response.end());
  const moved = await receiver((response) => response.writeHead(308, { location: 'https://new.example.com/x' }).end());
  const settings = [
    lab.settings,
    `lab_listen_port: ${await pickFreePort()}`,
    'lab_watch_interval: 1',
    `lab_notify_webhook_url: [${accepting.url}, ${moved.url}]`,
    '',
  ].join('\n');
  const service = await startService({
    files: { 'settings.yaml': settings },
    env: { LAB_LISTEN_PORT: undefined },
  });
  ends.push(() => service.stop());
  const readState = () =>
    service.manager.lab?.currentStatus().managers.find(({ manager }) => manager === 'data')?.state;
  await time.waitFor(() => expect(service.manager.lab?.currentStatus().state).toBe('healthy'));
  await lab.managers.data.stop();
  await time.waitFor(() => expect(readState()).toBe('unreachable'));
  await service.manager.restart();
  expect(accepting.posted).toEqual([]);
  await time.waitFor(() => expect(accepting.posted).not.toEqual([]), { withinMs: 45_000 });
  expect(accepting.posted).toEqual([
    {
      agent: 'lab-manager/9.8.7',
      title: 'Data Manager: unreachable',
      body: expect.stringMatching(/connection refused .*\(since \d\d:\d\d\)$/) as string,
    },
  ]);
  const deliveries = async () =>
    settingsResponse.parse(JSON.parse((await sendRequest(service.port, '/settings')).body)).deliveries ?? [];
  await time.waitFor(async () =>
    expect((await deliveries())[1]?.failure?.reason).toContain('https://new.example.com/…'),
  );
  expect(await deliveries()).toMatchObject([
    { channel: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/…$/) as string, waiting: 0, failure: null },
    {
      waiting: 0,
      delivered: null,
      failure: { reason: expect.stringContaining('https://new.example.com/…') as string },
    },
  ]);
  expect(moved.posted).toHaveLength(1);

  const inputs = service.folder.inputs({ env: { LAB_LISTEN_PORT: String(service.port) } });
  const { context } = await makeContext({ inputs });
  const finding = await time.settle(Promise.resolve(notifications.run(context, new AbortController().signal)));
  expect(finding).toMatchObject({ result: 'problem', what: expect.stringContaining('moved permanently') as string });
});

/** A service host as used by the shell. */
async function host(files: Readonly<Record<string, string>>, mode: Start['mode'], port: number) {
  const folder = await makeTempFolder(files);
  ends.push(() => folder.remove());
  const replies = new Map<number, Reply>();
  let phase = '';
  const service = new ServiceHost(
    (message) => {
      if (message.type === 'reply') replies.set(message.id, message.reply);
      if (message.type === 'status') phase = message.status.phase;
    },
    () => undefined,
  );
  ends.push(() => service.stop());
  const inputs = folder.inputs({ env: { LAB_LISTEN_PORT: String(port) } });
  await service.handle({ type: 'start', run: 1, inputs, logDir: `${folder.path}/logs`, mode });
  await vi.waitFor(() => expect(phase).toBe(mode.kind === 'attach' ? 'attached' : 'running'));
  return async (type: 'deliveries' | 'test-notifications') => {
    const id = replies.size;
    await service.handle({ type, id });
    return replies.get(id);
  };
}

it('a test from the Settings window is listed as delivered, also in an app attached to the service', async () => {
  const { url, posted } = await receiver((response) => response.end());
  const port = await pickFreePort();
  const settings = `lab_notify_webhook_url: ${url}\n`;
  const serving = await host({ 'home/lab/settings.yaml': settings }, { kind: 'serve' }, port);
  const channel = `${new URL(url).origin}/…`;
  const before = [{ channel, waiting: 0, delivered: null, failure: null }];
  expect(await serving('deliveries')).toEqual({ ok: true, value: before });
  expect(await serving('test-notifications')).toMatchObject({ ok: true });
  expect(posted).toMatchObject([{ title: 'Test of the notifications' }]);
  const after = [{ channel, waiting: 0, delivered: expect.any(String) as string, failure: null }];
  expect(await serving('deliveries')).toEqual({ ok: true, value: after });
  const attached = await host({}, { kind: 'attach', url: `http://127.0.0.1:${port}/` }, port);
  expect(await attached('deliveries')).toEqual({ ok: true, value: after });
});
