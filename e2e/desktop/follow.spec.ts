/** Another machine's lab manager: used, lost, wrong, remembered; and never our own lab shown as somebody else's. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { contextKey, managerKeys } from '../../api/managers.ts';
import { expect, test } from '../support/desktopTest.ts';
import { startLab, type FakeLab } from '../support/managers.ts';

const slow = { timeout: 20_000 };

/** A lab manager whose `/context` is what the test says. */
class OtherManager {
  context: unknown = {};
  #server: http.Server | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  async start(): Promise<void> {
    const server = http.createServer((request, response) => {
      const settings = { settings: { manager_type: 'lab_manager', manager_name: 'Other Lab' } };
      const body = request.url === '/context' ? this.context : request.url === '/settings' ? settings : null;
      response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { detail: 'Not Found' }));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

let lab: FakeLab;
let other: OtherManager;
test.beforeEach(async () => {
  lab = await startLab();
  other = new OtherManager();
  await other.start();
});
test.afterEach(async () => {
  await other.stop();
  await lab.stop();
});

function good(): Record<string, string> {
  const addresses = managerKeys.map((key) => [contextKey(key), lab.managers[key].url] as const);
  return { lab_server_url: other.url, ...Object.fromEntries(addresses) };
}

test('a lab manager on another machine is connected to, remembered, said to be lost, and left by one press', async ({
  tray,
  desktop,
  desktopAgain,
}) => {
  other.context = good();
  const first = await desktop({ useLabFolder: false });
  await first.page.getByLabel('Connect to a lab manager on another machine').fill('nowhere');
  await first.page.getByRole('button', { name: 'Connect' }).click();
  await expect(first.page.getByText('Enter the address of a lab manager')).toBeVisible();
  await first.page.getByLabel('Connect to a lab manager on another machine').fill(other.url);
  await first.page.getByRole('button', { name: 'Connect' }).click();
  await expect(first.page.getByText('Healthy 6/6', { exact: true })).toBeVisible(slow);
  await first.app.close();

  const { page } = await desktopAgain(first, { useLabFolder: false });
  await expect(page.getByText('Healthy 6/6', { exact: true })).toBeVisible(slow);
  await expect.poll(() => tray.tooltip()).toContain('Other Lab: Healthy');

  await other.stop();
  const notice = page.getByRole('status').filter({ hasText: /has not answered since \d\d:\d\d.*last known addresses/ });
  await expect(notice).toBeVisible({ timeout: 10_000 });
  // Its managers answer still; whether they are the lab's nobody can say.
  await expect.poll(() => tray.tooltip(), { timeout: 25_000 }).toContain('unknown');
  await expect(page.getByText(/^Unknown 6\/6$/).first()).toBeVisible(slow);
  await other.start();
  await expect(notice).toHaveCount(0, slow);
  await expect.poll(() => tray.tooltip(), slow).toContain('Other Lab: Healthy');
});

const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['a number', { event_server_url: 8001 }, /event_server_url is a number/],
  ['nothing at all', {}, /event_server_url is missing; .*location_server_url is missing/],
  ['a page', '<html>hello</html>', /no JSON object/],
  ['a host without scheme', { event_server_url: 'localhost:8001' }, /event_server_url is not an http or https address/],
  ['a script', { event_server_url: 'javascript:alert(1)' }, /event_server_url is not an http or https address/],
];

for (const [name, context, reason] of wrong) {
  test(`a context with ${name} is refused with the reason, and used once it is right`, async ({ tray, desktop }) => {
    other.context =
      typeof context === 'string'
        ? context
        : Object.keys(context as object).length === 0
          ? {}
          : { ...good(), ...(context as object) };
    // This machine's own managers answer: they must not be shown as the other's.
    const { page } = await desktop({
      userFiles: {
        'preferences.json': JSON.stringify({ follow: other.url }),
        'lab.settings.yaml': `${lab.settings}\n`,
      },
      useLabFolder: false,
    });
    await expect(page.getByRole('heading', { name: 'The other lab manager can’t be used' })).toBeVisible(slow);
    await expect(page.getByText(reason).first()).toBeVisible();
    await expect.poll(() => tray.tooltip()).not.toContain('Healthy');
    other.context = good();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('Healthy 6/6', { exact: true })).toBeVisible(slow);
  });
}

test('from a lab manager that can’t be used one press leads back to this machine’s lab', async ({ desktop }) => {
  const { page } = await desktop({
    userFiles: {
      'preferences.json': JSON.stringify({ follow: other.url }),
      'lab.settings.yaml': `lab_manager_name: Own Lab\nlab_listen_port: 0\n${lab.settings}\n`,
    },
    useLabFolder: false,
  });
  await page.getByRole('button', { name: 'Use this machine’s lab' }).click(slow);
  await expect(page.getByRole('link', { name: 'Own Lab' })).toBeVisible(slow);
});
