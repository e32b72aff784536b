/** The demo lab (decision 22): six healthy simulated managers, on this machine alone, whatever the user's settings say. */
import { networkInterfaces } from 'node:os';
import { labContext } from '../../api/lab.ts';
import { expect, test } from '../support/desktopTest.ts';

const tenSeconds = { timeout: 10_000 };

test('--demo shows six healthy managers on the page and in the tray, and says that it is a demo', async ({
  tray,
  desktop,
}) => {
  const broken = { 'settings.yaml': 'lab_server_url: nowhere\nlab_manager_name: Mine\n' };
  const { page } = await desktop({ files: broken, args: ['--demo'] });
  await expect(page.getByText('Healthy 6/6', { exact: true })).toBeVisible(tenSeconds);
  await expect(page.getByText('Demo lab', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip(), tenSeconds).toContain('Demo Lab: Healthy, 6/6 managers are healthy');

  const { port } = new URL(page.url());
  const context = labContext.parse(await fetch(`http://127.0.0.1:${port}/context`).then((answer) => answer.json()));
  for (const address of Object.values(context)) {
    expect(['localhost', '127.0.0.1']).toContain(new URL(address ?? '').hostname);
    const health = await fetch(new URL('/health', address ?? '')).then((answer) => answer.json());
    expect(health).toMatchObject({ healthy: true });
  }
  const outside = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  for (const { address } of outside.filter(({ family, internal }) => family === 'IPv4' && !internal)) {
    await expect(fetch(`http://${address}:${port}/health`)).rejects.toThrow('fetch failed');
  }
});

test('the first screen offers the demo lab, and the menu leads back', async ({ desktop }) => {
  const { app, page } = await desktop({ useLabFolder: false });
  await page.getByRole('button', { name: 'Start the demo lab' }).click({ timeout: 15_000 });
  await expect(page.getByText('Healthy 6/6', { exact: true })).toBeVisible(tenSeconds);
  await app.evaluate(({ Menu }) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
    items.find((item) => item.label === 'Leave Demo Lab')?.click();
  });
  await expect(page.getByText('Demo lab', { exact: true })).toHaveCount(0, tenSeconds);
});
