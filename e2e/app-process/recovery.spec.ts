/** Killed, stopped and orphaned processes are reported and replaced, and never block a new start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from '../support/desktop/outsideTest.ts';
import { startOpener } from '../support/desktop/opener.ts';

/** The display must match the real state within this time limit. */
const pollOptions = { intervals: [100] };

const readStatus = (port: number) => () =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.status,
    () => null,
  );

async function expectDashboard(page: Page): Promise<void> {
  await expect(page.getByRole('navigation').first()).toBeVisible();
}

test('a hanging service is reported within 8 s and then replaced by another process', async ({ outside }) => {
  const app = await outside({ settings: { lab_manager_name: 'Bench Lab' } });
  await expectDashboard(await app.page());
  await expect.poll(() => app.tray.tooltip(), pollOptions).toContain('Bench Lab');
  const serviceBefore = app.processes().find(({ kind }) => kind === 'node service');
  app.signal('SIGSTOP', 'node service');
  await expect.poll(() => app.tray.tooltip(), { intervals: [100] }).toContain('has not responded since');
  await expect.poll(readStatus(app.port)).toBe(200);
  await expect.poll(() => app.tray.tooltip(), pollOptions).toContain('Bench Lab');
  const services = app.processes().filter(({ kind }) => kind === 'node service');
  expect(services.map(({ pid }) => pid)).not.toContain(serviceBefore?.pid);
  expect(services).toHaveLength(1);
});

test('a page that hangs is killed after 15 s and loaded again', async ({ outside }) => {
  const app = await outside();
  await expectDashboard(await app.page());
  const renderers = () => app.processes().filter(({ kind }) => kind === 'renderer');
  const pidsBefore = new Set(renderers().map(({ pid }) => pid));
  app.signal('SIGSTOP', 'renderer');
  const isReplaced = () => renderers().length > 0 && renderers().every(({ pid }) => !pidsBefore.has(pid));
  await expect.poll(isReplaced).toBe(true);
  const log = readFileSync(join(app.config, 'logs', 'desktop.log'), 'utf8');
  expect(log).toMatch(/The dashboard has not responded for 5 s[^]*The dashboard does not respond; it is reloaded/);
});

test('quitting while the service hangs leaves no process', async ({ outside }) => {
  const app = await outside();
  await expectDashboard(await app.page());
  app.signal('SIGSTOP', 'node service');
  app.signal('SIGTERM');
  expect(await app.exit).toEqual({ code: 0, signal: null });
  await expect.poll(() => app.processes()).toEqual([]);
});

test('a new start ends the hanging service that a killed app left behind', async ({ outside }) => {
  const app = await outside();
  await expectDashboard(await app.page());
  const orphan = app.processes().find(({ kind }) => kind === 'node service');
  app.signal('SIGSTOP', 'node service');
  app.signal('SIGKILL');
  await app.exit;
  // The orphan occupies the port and does not respond: the next start ends it and replaces it.
  const next = await outside({ home: app.home, settings: null });
  await expectDashboard(await next.page());
  await expect.poll(readStatus(app.port)).toBe(200);
  const log = readFileSync(join(app.config, 'logs', 'lab-manager.log'), 'utf8');
  expect(log).toContain(`(process ${orphan?.pid}); killing it`);
  expect(next.processes().map(({ pid }) => pid)).not.toContain(orphan?.pid);
});

test('a file manager that never responds does not delay the app', async ({ outside }) => {
  const opener = await startOpener('hangs');
  const app = await outside({ env: opener.env });
  await expectDashboard(await app.page());
  await app.tray.choose('Open Logs Folder');
  await expect.poll(() => opener.openedTargets()).toEqual([expect.stringContaining('logs')]);
  // The main process serves the tray and quits while the other program still hangs.
  await expect.poll(() => app.tray.tooltip(), pollOptions).not.toBe('');
  await app.tray.choose('Quit');
  expect(await app.exit).toEqual({ code: 0, signal: null });
  // The opener inherited the app's sockets, which stay open until it ends.
  await opener.stop();
});

test('a second start with another port is refused with the reason, and a start with --demo opens the demo lab', async ({
  outside,
}) => {
  const app = await outside();
  await expectDashboard(await app.page());
  const refused = await app.startAgain(['--lab-listen-port=9999']);
  expect(await refused.exit).toEqual({ code: 1, signal: null });
  await expect.poll(() => refused.output()).toContain('already running, so --lab-listen-port=9999 can’t take effect');
  await expect.poll(readStatus(app.port)).toBe(200);
  // The first instance opens the demo lab.
  const demo = await app.startAgain(['--demo']);
  expect(await demo.exit).toEqual({ code: 0, signal: null });
  await expect.poll(async () => (await app.pages()).length).toBe(2);
});
