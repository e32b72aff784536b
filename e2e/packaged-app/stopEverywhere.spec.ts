/** The safety stop works on the pages of the shell, from the tray, and without the service and the workcell manager. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { settingsLines, startDemoLab, type DemoLab } from '../../demo/lab/lab.ts';
import {
  clickMenuItem,
  waitForClose,
  getServicePid,
  killProcess,
  type DesktopApp,
} from '../support/desktop/desktopApp.ts';
import { expect, test, type DesktopFixtures } from '../support/desktop/desktopTest.ts';
import { signalIfRunning } from '../support/desktop/program.ts';
import { findEntry } from '../support/desktop/trayItem.ts';
import { pickFreePort } from '../support/managers.ts';
import { countSafetyStops } from '../support/countSafetyStops.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { statePath } from '../../server/labWatches.ts';
import { stateDir } from '../../server/storage/installation.ts';

let lab: DemoLab;
test.beforeEach(async () => {
  lab = await startDemoLab({ simulation: false, past: false });
});
test.afterEach(async () => {
  await lab.stop();
});

const findStoppedNodes = (): string[] => lab.nodes.filter((node) => node.status().stopped).map(({ name }) => name);
const findLockedNodes = (): string[] => lab.nodes.filter((node) => node.status().locked).map(({ name }) => name);

/** Returns the number of nodes in the shell's file, which a stop would be sent to. */
async function countKnownNodes(userFolder: string): Promise<number> {
  const text = await readFile(join(userFolder, 'nodes.json'), 'utf8').catch(() => '{"nodes":[]}');
  return (JSON.parse(text) as { nodes: unknown[] }).nodes.length;
}

/** Starts an app on the lab, whose nodes it knows. */
async function openLab(desktop: DesktopFixtures['desktop']): Promise<DesktopApp & { readonly port: number }> {
  const port = await pickFreePort();
  const settings = `lab_server_url: http://localhost:${port}\n${settingsLines(lab)}`;
  const app = await desktop({ files: { 'settings.yaml': settings } });
  await expect(app.page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  await expect.poll(() => countKnownNodes(app.userFolder)).toBe(5);
  return { ...app, port };
}

test('a page of the shell stops and releases the nodes without the service and the workcell manager', async ({
  desktop,
}) => {
  const { app, page } = await openLab(desktop);
  await lab.faults.setManager('workcell', { kind: 'down' });
  const killed = new Set<number>();
  for (let time = 0; time < 4; time += 1) {
    const findNextPid = async (): Promise<number | null> => {
      const pid = await getServicePid(app);
      return pid !== null && !killed.has(pid) ? pid : null;
    };
    await expect.poll(findNextPid).toEqual(expect.any(Number));
    killed.add(killProcess(await findNextPid()));
  }
  await expect(page.getByRole('heading', { name: 'The lab manager service keeps stopping' })).toBeVisible();
  await page.keyboard.press('Control+Shift+X');
  const report = page.getByRole('region', { name: safetyStopTexts.title });
  await expect(report.getByRole('alert')).toContainText('of 5 nodes confirmed');
  await expect.poll(findStoppedNodes).toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
  // Nodes without a safety stop received the commands that they support, and the report states the difference.
  const unconfirmedRow = report.getByRole('listitem').filter({ hasText: 'advanced_example_node' });
  await expect(unconfirmedRow).toContainText(
    'It was locked and paused, which is not a safety stop. Use the hardware stop if it moves.',
  );
  expect(findLockedNodes()).toContain('advanced_example_node');

  await report.getByRole('button', { name: safetyStopTexts.release }).click();
  await report.getByRole('button', { name: /^Release \d nodes now$/ }).click();
  await expect.poll(findStoppedNodes).toEqual([]);
  await expect.poll(findLockedNodes).toEqual([]);
  await expect(unconfirmedRow).toContainText('Released');
});

test('an app that starts with broken settings still stops the nodes of its last run', async ({
  desktop,
  restartDesktop,
}) => {
  const first = await openLab(desktop);
  await first.app.close();

  await writeFile(join(first.labFolder, 'settings.yaml'), 'lab_log_level: LOUD\n');
  const { page } = await restartDesktop(first);
  await expect(page.getByRole('heading', { name: 'A setting has an error' })).toBeVisible();
  await page.getByRole('button', { name: safetyStopTexts.short }).click();
  await expect.poll(findStoppedNodes).toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
});

for (const ms of [0, 100, 500, 3000])
  test(`a stop of an app that is killed ${ms} ms after it is stored is shown and released after its restart`, async ({
    desktop,
    restartDesktop,
  }) => {
    const { port, ...first } = await openLab(desktop);
    await first.page.keyboard.press('Control+Shift+X');
    const stateFolder = stateDir('linux', { XDG_STATE_HOME: join(first.userFolder, 'state') }, '');
    const readStops = () => readFile(statePath(stateFolder, 'safety-stop.json', port), 'utf8').catch(() => '');
    await expect.poll(readStops).toContain('"isInEffect":true');
    await sleep(ms);
    const exited = first.app.waitForEvent('close');
    killProcess(first.app.process().pid);
    await exited;

    const { page } = await restartDesktop(first);
    await expect.poll(findStoppedNodes).toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
    const banner = page.getByRole('region', { name: safetyStopTexts.banner });
    await banner.getByRole('button', { name: safetyStopTexts.openReport }).click();
    const report = page.getByRole('region', { name: safetyStopTexts.title });
    await report.getByRole('button', { name: safetyStopTexts.release }).click();
    await report.getByRole('button', { name: /^Release \d nodes now$/ }).click();
    await expect(banner).toHaveCount(0);
    expect(findStoppedNodes()).toEqual([]);
    expect(findLockedNodes()).toEqual([]);
  });

test('the tray stops the nodes by one press in its window while the main window is hidden, and its report can be closed, reopened and used to release them', async ({
  tray,
  desktop,
}) => {
  const { app, page } = await openLab(desktop);
  await app.evaluate(({ BrowserWindow, dialog }) => {
    BrowserWindow.getAllWindows()[0]?.hide();
    dialog.showMessageBox = () => Promise.reject(new Error('no dialog is expected'));
  });
  await expect.poll(async () => findEntry(await tray.menu(), 'Safety Stop…')?.enabled).toBe(true);
  const [report] = await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop…')]);
  await expect(report.getByRole('heading', { level: 1 })).toHaveText(
    /^Stop all 5 nodes of .+ on this machine \(.+\)\?$/,
  );
  const target = report.getByRole('listitem').filter({ hasText: 'liquidhandler_2' });
  await expect(target).toContainText('Has no safety stop: it is locked and paused, or its action is cancelled');
  await expect(report.getByRole('button', { name: safetyStopTexts.button })).toBeFocused();
  expect(findStoppedNodes()).toEqual([]);
  await report.keyboard.press('Enter');
  await expect.poll(findStoppedNodes).toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
  const stopNotice = page.getByRole('status').filter({ hasText: /^Safety stop of .+ sent at/ });
  const banner = page.getByRole('region', { name: safetyStopTexts.banner });
  await expect(stopNotice.or(banner).first()).toContainText(/not confirmed: /i);
  // The dashboard shows the stop itself once it is published: one banner for one stop.
  await expect(banner).toContainText('not confirmed: ');
  await expect(stopNotice).toHaveCount(0);
  await expect(report.getByRole('alert')).toContainText('of 5 nodes confirmed');
  await expect(report.getByRole('button', { name: safetyStopTexts.release })).toBeInViewport({ ratio: 1 });
  await waitForClose(report, () => report.keyboard.press('Escape'));
  const stoppedBefore = findStoppedNodes();
  const [reportWindow] = await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop Report…')]);
  await expect(reportWindow.getByRole('listitem').filter({ hasText: 'robotarm_1' })).toContainText('Confirmed');
  expect(findStoppedNodes()).toEqual(stoppedBefore);
  await reportWindow.getByRole('button', { name: safetyStopTexts.release }).click();
  await reportWindow.getByRole('button', { name: /^Release \d nodes now$/ }).click();
  await expect.poll(findStoppedNodes).toEqual([]);
  await expect.poll(findLockedNodes).toEqual([]);
});

test('a second choice in the tray stops the nodes while the page of the stop window is frozen', async ({
  tray,
  desktop,
}) => {
  const { app } = await openLab(desktop);
  await expect.poll(async () => findEntry(await tray.menu(), 'Safety Stop…')?.enabled).toBe(true);
  await Promise.all([app.waitForEvent('window'), tray.choose('Safety Stop…')]);
  // The page sets this title once it is loaded; until then, the window has another one.
  let pid = 0;
  const readPid = async () =>
    (pid = await app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find((candidate) =>
        candidate.getTitle().startsWith('Safety stop – '),
      );
      return window?.webContents.getOSProcessId() ?? 0;
    }));
  await expect.poll(readPid).toBeGreaterThan(0);
  process.kill(pid, 'SIGSTOP');
  try {
    // A choice within a second is the same one.
    await expect
      .poll(async () => {
        await tray.choose('Safety Stop…');
        return findStoppedNodes();
      })
      .toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
  } finally {
    // The app replaces a page that does not respond.
    signalIfRunning(pid, 'SIGCONT');
  }
});

test('wall screen, tray, --status, metrics and summary agree on a stop and on its release', async ({
  desktop,
  tray,
}) => {
  const { page, port } = await openLab(desktop);
  const base = `http://127.0.0.1:${port}/`;
  await page.goto(`${base}?kiosk`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/5 nodes ready/);
  const read = async (path: string) => (await fetch(new URL(path, base))).text();
  const banner = page.getByRole('region', { name: safetyStopTexts.banner });
  const readStatus = async () => {
    const program = join(import.meta.dirname, '..', '..', 'dist', 'server', 'main.js');
    return (await promisify(execFile)(process.execPath, [program, '--status', `--lab-listen-port=${port}`])).stdout;
  };

  await page.keyboard.press('Control+Shift+X');
  const unconfirmed = /3 of 5 nodes not confirmed: advanced_example_node, liquidhandler_2, platereader_1/;
  await expect(banner).toContainText(unconfirmed);
  await expect.poll(() => tray.tooltip()).toMatch(unconfirmed);
  await expect.poll(() => read('metrics')).toMatch(/safety_stop_active 1\n/);
  await expect.poll(() => read('summary')).toContain('"in_force":true,"unconfirmed":3');
  expect(await readStatus()).toMatch(unconfirmed);

  await fetch(new URL('safety_stop/release', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"application":"dashboard"}',
  });
  await expect(banner).toHaveCount(0);
  await expect.poll(() => tray.tooltip()).toContain('6/6 managers are healthy');
  await expect.poll(() => read('metrics')).toMatch(/safety_stop_active 0\n/);
  await expect.poll(() => read('summary')).toContain('"in_force":false,"unconfirmed":0');
  expect(await readStatus()).not.toContain('Safety stop');
  expect([...findStoppedNodes(), ...findLockedNodes()]).toEqual([]);
});

for (const item of [
  'Choose Lab Folder…',
  'Connect to Lab…',
  'Settings…',
  'Diagnostics',
  'Logs',
  'Maintenance and Mute…',
  'About Lab Manager',
])
  test(`the window of “${item}” stops the nodes by button and by key and opens the report`, async ({ desktop }) => {
    const { app } = await openLab(desktop);
    const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, item)]);
    const button = window.getByRole('button', { name: safetyStopTexts.button });
    await expect(button).toBeVisible();
    const nextWindow = app.waitForEvent('window');
    const presses = [() => button.click(), () => window.keyboard.press('Control+Shift+X')];
    for (const press of presses) {
      const stopsBefore = countSafetyStops(lab, 'robotarm_1');
      await press();
      // The stop is sent again to a node that has not confirmed in time.
      await expect.poll(() => countSafetyStops(lab, 'robotarm_1')).toBeGreaterThan(stopsBefore);
      const report = await nextWindow;
      await report.getByRole('button', { name: safetyStopTexts.release }).click();
      await report.getByRole('button', { name: /^Release \d nodes? now$/ }).click();
      await expect.poll(findStoppedNodes).toEqual([]);
      await expect.poll(findLockedNodes).toEqual([]);
    }
  });

test('dialogs belong to their window, which they show, without blocking its safety stop', async ({ desktop }) => {
  const { app, page } = await openLab(desktop);
  await app.evaluate(({ dialog, BrowserWindow }) => {
    const opened: string[] = [];
    const open = dialog.showMessageBox.bind(dialog) as (...input: unknown[]) => Promise<never>;
    dialog.showMessageBox = ((owner: Electron.BrowserWindow, options: unknown) => {
      const result = open(owner, options);
      opened.push(`window ${owner.id}, visible: ${owner.isVisible()}, enabled: ${owner.isEnabled()}`);
      return result;
    }) as never;
    Object.assign(globalThis, { testOpened: opened });
    BrowserWindow.getAllWindows()[0]?.hide();
  });
  const readOpened = () => app.evaluate(() => (globalThis as unknown as { testOpened: string[] }).testOpened);
  await clickMenuItem(app, 'Save Diagnostics…');
  await clickMenuItem(app, 'Save Diagnostics…');
  // GTK disables the owner of a message box, which the app enables again.
  await expect.poll(readOpened).toEqual(['window 1, visible: true, enabled: false']);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.fromId(1)?.isEnabled())).toBe(true);
  // While the dialog is open, the dashboard and its safety stop stay usable.
  await page.getByRole('button', { name: safetyStopTexts.button }).click();
  await expect.poll(findStoppedNodes).toEqual(expect.arrayContaining(['liquidhandler_1', 'robotarm_1']));
});
