/** Opens the dashboard in a browser on another machine. */
import { chromium } from 'playwright';
import { settingsLines, startDemoLab } from '../../demo/lab/lab.ts';
import { safetyStopTexts as stopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import { nodeCommandTable } from '../../dashboard/managers/guards/nodeCommandTable.ts';
import { labTexts } from '../../dashboard/panels/lab/texts.ts';
import { outcomes, pressCommand } from '../support/browser/workcellsPage.ts';
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
      await expect(page.getByRole('banner')).toContainText('Managers 5/6');
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

test('a page opened from another machine reads and commands managers that only the service reaches', async ({
  service,
  launchOptions,
}) => {
  const machine = await OtherMachine.make();
  console.log(machine.description);
  const wrapped = await machine.wrap(browserProgram);
  // Its managers listen on loopback.
  const lab = await startDemoLab({
    simulation: false,
    past: false,
    timing: { tick: 400, poll: 300, info: 2000, reconnect: 2000 },
  });
  try {
    const settings = `${settingsLines(lab)}\nlab_remote_access: operate\n`;
    const { port } = await service({
      files: { 'settings.yaml': settings },
      managerOptions: { identifyCaller: () => ({ name: 'ann', role: 'operator', via: 'session' }) },
    });
    const browser = await chromium.launch({ ...launchOptions, executablePath: wrapped.path });
    try {
      const context = await browser.newContext();
      const guard = new Guard();
      guard.hosts.add(machine.host);
      guard.watch(context);
      const page = await context.newPage();
      const url = `http://${machine.host}:${port}/`;
      await page.goto(`${url}lab`);
      const workcell = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Workcell' }) });
      await expect(workcell.first()).toContainText(labTexts.routes.relay);
      await page.goto(`${url}workcells`);
      await pressCommand(page, 'liquidhandler_1', nodeCommandTable.lock.verb);
      await expect(outcomes(page)).toContainText(nodeCommandTable.lock.done);
      expect(lab.nodes.find(({ name }) => name === 'liquidhandler_1')?.status().locked).toBe(true);
      expect(guard.requests.some((request) => request.startsWith(`${url}managers/workcell/admin/lock/`))).toBe(true);
      expect(guard.offences).toEqual([]);
    } finally {
      await browser.close();
    }
  } finally {
    await lab.stop();
    await wrapped.remove();
    await machine.remove();
  }
});

for (const [mode, effect] of [
  ['everyone', 'stops'],
  ['users', 'cannot stop'],
] as const) {
  test(`a page opened from another machine without a sign-in ${effect} the nodes if LAB_REMOTE_STOP is ${mode}`, async ({
    service,
    launchOptions,
  }) => {
    const machine = await OtherMachine.make();
    console.log(machine.description);
    const wrapped = await machine.wrap(browserProgram);
    // Its managers and nodes listen on loopback.
    const lab = await startDemoLab({
      simulation: false,
      past: false,
      timing: { tick: 400, poll: 300, info: 2000, reconnect: 2000 },
    });
    try {
      const settings = `${settingsLines(lab)}\nlab_remote_access: view\nlab_remote_stop: ${mode}\nlab_watch_interval: 1\n`;
      const { port } = await service({ files: { 'settings.yaml': settings } });
      const browser = await chromium.launch({ ...launchOptions, executablePath: wrapped.path });
      try {
        const page = await (await browser.newContext()).newPage();
        await page.goto(`http://${machine.host}:${port}/`);
        // Nodes without a safety stop are locked instead.
        const isStopped = () => lab.nodes.map((node) => node.status().stopped || node.status().locked);
        const stoppable = lab.nodes.filter((node) => node.commands().includes('safety_stop'));
        if (mode === 'everyone') {
          // The service reads the nodes some seconds after its start.
          await expect(async () => {
            await page.getByRole('button', { name: stopTexts.button, exact: true }).click();
            expect(isStopped()).toEqual(lab.nodes.map(() => true));
          }).toPass();
          const report = page.getByRole('region', { name: stopTexts.title });
          await expect(report.getByRole('alert')).toContainText(stopTexts.summary(stoppable.length, lab.nodes.length));
        } else {
          const button = page.getByRole('button', { name: 'Safety stop: not available here' });
          await expect(button).toHaveAttribute('aria-disabled', 'true');
          await expect(button).toHaveAttribute('title', /LAB_REMOTE_STOP is users/);
          expect(isStopped()).toEqual(lab.nodes.map(() => false));
        }
      } finally {
        await browser.close();
      }
    } finally {
      await lab.stop();
      await wrapped.remove();
      await machine.remove();
    }
  });
}
