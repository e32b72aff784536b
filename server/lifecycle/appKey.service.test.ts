/** The key that the service process sends to its app: for the lab of this machine, and new at each start. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appKeyHeader } from '../../api/lab/access.ts';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import type { ServiceMessage, ShellMessage } from './messages.ts';
import { ServiceHost } from './serviceHost.ts';

type Start = Extract<ShellMessage, { type: 'start' }>;

let folder: string;
let host: ServiceHost;
let messages: ServiceMessage[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'app-key-'));
  messages = [];
  host = new ServiceHost(
    (message) => void messages.push(message),
    () => undefined,
  );
});
afterEach(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(run: number, mode: Start['mode'], port: number): Promise<void> {
  const inputs = {
    argv: [`--lab-listen-port=${port}`, '--lab-listen-host=127.0.0.1', '--lab-log-level=DEBUG'],
    env: { LAB_REMOTE_ACCESS: 'operate', LAB_TRUSTED_PROXY: '["127.0.0.1"]' },
    cwd: null,
    homeDir: folder,
    userConfigDir: folder,
    commandLine: 'desktop' as const,
  };
  await host.handle({ type: 'start', run, inputs, logDir: join(folder, 'logs'), mode });
}
const keys = () => messages.filter((message) => message.type === 'app-key').map(({ key }) => key);

async function files(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

it('the app key is sent before the service runs, is invalid after a restart, and is in no file', async () => {
  const port = await pickFreePort();
  const readRole = async (key: string) => {
    const { body } = await sendRequest(port, '/session', { headers: { [appKeyHeader]: key } });
    return (JSON.parse(body) as { user: { role: string } | null }).user?.role ?? null;
  };
  await start(1, { kind: 'serve' }, port);
  const [first = ''] = keys();
  expect(first).toMatch(/^[\w-]{43}$/);
  const order = messages.map((message) => (message.type === 'status' ? message.status.phase : message.type));
  expect(order.indexOf('app-key')).toBeLessThan(order.indexOf('running'));
  expect(await readRole(first)).toBe('administrator');

  await start(2, { kind: 'serve' }, port);
  const second = keys().at(-1) ?? '';
  expect(second).not.toBe(first);
  expect(await readRole(first)).toBeNull();
  expect(await readRole(second)).toBe('administrator');
  await host.stop();
  const stored = await files(folder);
  expect(stored).toContain('/session');
  for (const key of [first, second]) expect(stored).not.toContain(key);
});

it('no app key is sent when the app is attached, follows another lab manager or shows the demo lab', async () => {
  await start(1, { kind: 'attach', url: 'http://127.0.0.1:9/' }, await pickFreePort());
  await start(2, { kind: 'follow', url: 'http://127.0.0.1:9/' }, await pickFreePort());
  await start(3, { kind: 'demo', addresses: labEndpoints[0].example as never, besidesLab: true }, await pickFreePort());
  expect(messages.some((message) => message.type === 'status' && message.status.phase === 'running')).toBe(true);
  expect(keys()).toEqual([]);
});
