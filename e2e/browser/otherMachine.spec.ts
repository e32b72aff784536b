/** Opens the dashboard in a browser on another machine. */
import { chromium } from 'playwright';
import { Guard, expect, test } from '../support/browser/browserTest.ts';
import { browserProgram } from '../support/browser/chromium.ts';
import { OtherMachine } from '../support/network/otherMachine.ts';

test('a page opened from another machine shows the managers at addresses that respond from there', async ({
  lab,
  service,
  launchOptions,
}) => {
  const machine = await OtherMachine.make();
  console.log(machine.description);
  const wrapped = await machine.wrap(browserProgram);
  try {
    const { settings, managers } = await lab({ data: 'http-503' }, '0.0.0.0');
    const { port } = await service({ files: { 'settings.yaml': settings } });
    const browser = await chromium.launch({ ...launchOptions, executablePath: wrapped.path });
    try {
      const context = await browser.newContext();
      const guard = new Guard();
      guard.hosts.add(machine.host);
      guard.watch(context);
      const page = await context.newPage();
      await page.goto(`http://${machine.host}:${port}/`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Data Manager unhealthy since .+: HTTP 503\.$/);
      await expect(page.getByRole('banner')).toContainText('Degraded 5/6');
      const event = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Event' }) });
      await expect(event).toContainText(`${machine.host}:${managers.event.port}`);
      const address = `http://${machine.host}:${managers.event.port}/health`;
      expect(JSON.parse(await machine.get(address))).toMatchObject({ healthy: true });
      expect(guard.offences).toEqual([]);
    } finally {
      await browser.close();
    }
  } finally {
    await wrapped.remove();
    await machine.remove();
  }
});
