/** The app in a normal start: an ordinary user, Chromium's sandbox, a separate session. */
import { chmodSync, readFileSync } from 'node:fs';
import { expect, test } from '../support/desktop/outsideTest.ts';
import { startLab } from '../support/managers.ts';

test('the app opens in its sandbox, serves, shows its tray icon and ends after SIGTERM', async ({ outside }) => {
  const app = await outside({ settings: { lab_manager_name: 'Bench Lab' } });
  const page = await app.page();
  await expect(page.getByRole('link', { name: 'Bench Lab' })).toBeVisible();
  expect(new URL(page.url()).port).toBe(String(app.port));
  await expect.poll(() => app.tray.tooltip()).toContain('Bench Lab: ');

  const renderers = app.processes().filter(({ kind }) => kind === 'renderer');
  expect(renderers.length).toBeGreaterThan(0);
  // Seccomp mode 2 is the filter of Chromium's sandbox.
  for (const { pid } of renderers) expect(readStatus(pid)).toMatch(/^Seccomp:\t2$/m);
  const main = app.processes().find(({ kind }) => kind === 'main');
  expect(readStatus(main?.pid ?? 0)).not.toMatch(/^Uid:\t0\t/m);

  app.signal('SIGTERM');
  expect(await app.exit).toEqual({ code: 0, signal: null });
  await expect.poll(() => app.processes()).toEqual([]);
});

test('a second start with the same home hands over to the first, which leaves no process when it is killed', async ({
  outside,
}) => {
  const first = await outside();
  await first.page();
  const second = await outside({ home: first.home, settings: null });
  expect(await second.exit).toEqual({ code: 0, signal: null });

  first.signal('SIGKILL');
  expect(await first.exit).toEqual({ code: null, signal: 'SIGKILL' });
  await expect.poll(() => first.processes()).toEqual([]);
});

test('--quit ends the running app, also after its disk became full, and exits with 4 if no app is running', async ({
  outside,
}) => {
  const first = await outside();
  await first.page();
  const pid = first.processes().find(({ kind }) => kind === 'main')?.pid;
  // Files cannot be created in the configuration folder any more, as on a full or read-only disk.
  chmodSync(first.config, 0o500);
  const second = await outside({ home: first.home, settings: null });
  expect(await second.exit).toEqual({ code: 0, signal: null });
  const quit = await outside({ home: first.home, settings: null, args: ['--quit'] });
  expect(await quit.exit).toEqual({ code: 0, signal: null });
  await expect.poll(() => quit.output()).toContain(`Lab Manager (process ${pid}) has ended`);
  expect(await first.exit).toEqual({ code: 0, signal: null });
  await expect.poll(() => first.processes()).toEqual([]);
  const quitCommand = await outside({ home: first.home, settings: null, args: ['--quit'] });
  expect(await quitCommand.exit).toEqual({ code: 4, signal: null });
  await expect.poll(() => quitCommand.output()).toContain('Lab Manager is not running');
});

test('an unknown option ends the start with code 2 and suggests the most similar option', async ({ outside }) => {
  const misspelt = await outside({ args: ['--lab-server-ulr=http://localhost:1', '--evnt-server-url=http://x'] });
  expect(await misspelt.exit).toEqual({ code: 2, signal: null });
  await expect.poll(() => misspelt.output()).toContain('did you mean --lab-server-url?');
  await expect.poll(() => misspelt.output()).toContain('did you mean --event-server-url?');
  // Switches of Chromium, which the app does not parse.
  const switches = await outside({ args: ['--force-device-scale-factor=1', '--enable-features=x'] });
  await switches.page();
});

test('an app that starts in the tray sends no requests of a page to the managers before its window opens', async ({
  outside,
}) => {
  const lab = await startLab();
  try {
    const { workcell } = lab.managers;
    const settings = Object.fromEntries(
      Object.values(lab.managers).map(({ key, url }) => [`${key}_server_url`, url] as const),
    );
    const app = await outside({ args: ['--hidden'], settings });
    await expect.poll(() => app.tray.tooltip()).toContain('Healthy');
    const checks = workcell.requests;
    // Two checks of the service are 5 s apart; a page in view sends a request every 2 s.
    await expect.poll(() => workcell.requests).toBeGreaterThan(checks + 2);
    expect(workcell.crossOriginRequests).toBe(0);
    await app.tray.click();
    await expect.poll(() => workcell.crossOriginRequests).toBeGreaterThan(0);
  } finally {
    await lab.stop();
  }
});

function readStatus(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}
