/** Tests the shell's two requests to the service process: to list the bundle's files, and to save them. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import type { Reply, ServiceMessage, ShellMessage } from '../lifecycle/messages.ts';
import { diagnosticsList } from '../../api/diagnostics.ts';
import { shellMessage } from '../lifecycle/messages.ts';
import { ServiceHost } from '../lifecycle/serviceHost.ts';

const managers = ['event', 'experiment', 'resource', 'data', 'workcell', 'location'];

it('the diagnostics session saves exactly the listed files, and only once', async () => {
  await using folder = await makeTempFolder({
    'home/lab/settings.yaml': managers.map((key) => `${key}_server_url: None`).join('\n'),
  });
  const replies = new Map<number, Reply>();
  const host = new ServiceHost(
    (message: ServiceMessage) => void (message.type === 'reply' && replies.set(message.id, message.reply)),
    () => undefined,
  );
  const sendRequest = async (message: ShellMessage & { id: number }): Promise<Reply> => {
    await host.handle(shellMessage.parse(message));
    return replies.get(message.id) ?? { ok: false, error: 'no reply' };
  };
  const app = {
    isSandboxed: false,
    trayHost: true,
    notifications: { enabled: true, supported: true, mutedUntil: null, shownAt: null, failure: null },
    dumps: [],
  };
  const path = join(folder.path, 'diagnostics.zip');
  try {
    expect((await sendRequest({ type: 'collect-diagnostics', id: 1, app })).ok).toBe(false);
    const port = await pickFreePort();
    const inputs = folder.inputs({ env: { LAB_LISTEN_PORT: String(port) }, commandLine: 'desktop' });
    const logDir = join(folder.path, 'logs');
    await host.handle({ type: 'start', run: 1, inputs, logDir, mode: { kind: 'serve' } });
    expect((await sendRequest({ type: 'save-diagnostics', id: 2, path })).ok).toBe(false);
    const collected = await sendRequest({ type: 'collect-diagnostics', id: 3, app });
    if (!collected.ok) throw new Error(collected.error);
    const list = diagnosticsList.parse(collected.value);
    expect(list.reports.find(({ id }) => id === 'sandbox')?.result).toBe('warning');
    expect(await sendRequest({ type: 'save-diagnostics', id: 4, path })).toEqual({ ok: true, value: path });
    const files = unzipSync(await readFile(path));
    expect(list.files.map(({ name }) => name).toSorted()).toEqual(Object.keys(files).toSorted());
    expect(Object.keys(files)).toContain('logs/lab-manager.log');
    expect(Buffer.from(files['checks.txt'] ?? []).toString()).toContain(`runs at http://127.0.0.1:${port}/`);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await sendRequest({ type: 'save-diagnostics', id: 5, path })).ok).toBe(false);
    await sendRequest({ type: 'collect-diagnostics', id: 6, app });
    expect((await sendRequest({ type: 'save-diagnostics', id: 7, path: null })).ok).toBe(true);
    expect((await sendRequest({ type: 'save-diagnostics', id: 8, path })).ok).toBe(false);
  } finally {
    await host.stop();
  }
});
