/** With unusable folders, the app opens and names the folder, and the service without a window starts. */
import { expect, test } from '../support/desktop/outsideTest.ts';
import { folderCases } from '../support/desktop/folderCases.ts';
import { collectLabels } from '../support/desktop/trayItem.ts';

for (const folder of folderCases) {
  test(`the window opens with ${folder.name}`, async ({ outside }) => {
    const app = await outside({
      settings: null,
      makeUnusable: folder.makeUnusable,
      env: { ...folder.env, LAB_LISTEN_HOST: '127.0.0.1', LAB_MANAGER_NAME: 'Bench' },
      args: (port) => [`--lab-listen-port=${port}`],
    });
    const page = await app.page();
    // The lab has a name, so this is not a first start: the dashboard opens.
    await expect(page.getByRole('navigation').first()).toBeVisible();
    const folderPattern =
      folder.namedPath === null ? null : new RegExp(`can’t write to \\S*${escapeRegExp(folder.namedPath)}`);
    if (folderPattern !== null) {
      await expect(page.getByRole('status').filter({ hasText: folderPattern })).toBeVisible();
      await expect.poll(async () => collectLabels(await app.tray.menu()).join('\n')).toMatch(/can’t write to/);
      await expect.poll(() => app.output()).toMatch(folderPattern);
    }
    await expect.poll(() => app.tray.tooltip()).not.toBe('');
    // A second start finds the first instance and exits.
    const second = await app.startAgain();
    expect(await second.exit).toMatchObject({ code: 0 });
    app.signal('SIGTERM');
    expect(await app.exit).toEqual({ code: 0, signal: null });
    await expect.poll(() => app.processes()).toEqual([]);
  });

  test(`the service without a window starts with ${folder.name}`, async ({ outside }) => {
    const app = await outside({
      settings: null,
      makeUnusable: folder.makeUnusable,
      env: { ...folder.env, LAB_LISTEN_HOST: '127.0.0.1' },
      headless: true,
      args: (port) => [`--lab-listen-port=${port}`],
    });
    const serviceStatus = () =>
      fetch(`http://127.0.0.1:${app.port}/health`).then(
        (response) => response.status,
        () => null,
      );
    await expect.poll(serviceStatus).toBe(200);
    await expect.poll(() => app.output()).toContain(`http://127.0.0.1:${app.port}/`);
    app.signal('SIGTERM');
    expect(await app.exit).toEqual({ code: 0, signal: null });
  });
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
