/** The app whose files another program replaces while it runs, as package managers do. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { clickMenuItem, programUnderTest } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { changeVersion } from '../support/desktop/otherVersion.ts';
import { fetchText, signalIfRunning } from '../support/desktop/program.ts';
import { collectLabels } from '../support/desktop/trayItem.ts';
import { pickFreePort } from '../support/managers.ts';
const updateNotice = 'Lab Manager was updated on this machine. Restart the app to finish the update.';

test('the app reports that its files were replaced, and restarts with the new version', async ({ desktop, tray }) => {
  const original = programUnderTest().executablePath;
  const folder = await mkdtemp(join(tmpdir(), 'replaced-'));
  const program = join(folder, basename(original));
  let userFolder = '';
  try {
    execFileSync('cp', ['-a', '--link', `${dirname(original)}/.`, folder]);
    const versions = changeVersion(folder);
    const port = await pickFreePort();
    const desktopApp = await desktop({
      program,
      files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\n` },
    });
    const { app, page } = desktopApp;
    ({ userFolder } = desktopApp);
    await expect(page).toHaveURL(`http://127.0.0.1:${port}/`);
    const readVersion = async () =>
      (JSON.parse((await fetchText(port, '/health'))?.body ?? '{}') as { version?: string }).version;
    expect(await readVersion()).toBe(versions.changed);
    await expect.poll(async () => collectLabels(await tray.menu())).not.toEqual([]);
    expect(collectLabels(await tray.menu())).not.toContain(updateNotice);

    for (const file of [basename(original), 'resources/app.asar']) {
      await copyFile(join(dirname(original), file), join(folder, `${file}.new`));
      await rename(join(folder, `${file}.new`), join(folder, file));
    }
    await expect.poll(async () => collectLabels(await tray.menu())).toContain(updateNotice);
    await expect(page.getByText(updateNotice)).toBeVisible();
    expect(await readVersion()).toBe(versions.changed);

    // The running app still opens its own pages.
    const [settings] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Settings')]);
    await expect(settings.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();

    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) =>
        Promise.resolve({ response: (options.buttons ?? []).indexOf('Restart') })) as typeof dialog.showMessageBox;
    });
    const exited = new Promise((resolve) => app.process().once('exit', resolve));
    await page.getByRole('button', { name: 'Restart…' }).click();
    await exited;
    await expect.poll(readVersion).toBe(versions.original);
    expect(await findMainProcesses(userFolder)).toHaveLength(1);
  } finally {
    for (const pid of await findMainProcesses(userFolder)) signalIfRunning(pid, 'SIGTERM');
    await expect.poll(() => findMainProcesses(userFolder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns the IDs of the main processes of the apps with this profile. */
async function findMainProcesses(userFolder: string): Promise<number[]> {
  if (userFolder === '') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map(async (pid) => [Number(pid), await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const),
  );
  return commands.flatMap(([pid, command]) =>
    command.includes(`--user-data-dir=${userFolder}`) && !command.includes('--type=') ? [pid] : [],
  );
}
