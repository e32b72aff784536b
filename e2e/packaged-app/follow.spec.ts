/** Following a lab manager of another machine that is unusable: this machine's lab is never shown in its place. */
import { commonTexts } from '../../dashboard/base/texts.ts';
import { shellTexts } from '../../electron/pages/parts/texts.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { startLab, type FakeLab } from '../support/managers.ts';
import { OtherLabManager } from '../support/network/otherLabManager.ts';

let lab: FakeLab;
let otherLabManager: OtherLabManager;
test.beforeEach(async () => {
  lab = await startLab();
  otherLabManager = new OtherLabManager();
  await otherLabManager.start();
});
test.afterEach(async () => {
  await otherLabManager.stop();
  await lab.stop();
});

const invalidContexts: readonly (readonly [string, unknown, RegExp])[] = [
  ['a number', { event_server_url: 8001 }, /event_server_url is a number/],
  ['nothing at all', {}, /event_server_url is missing; .*location_server_url is missing/],
  ['a page', '<html>hello</html>', /not a JSON object/],
  ['a host without scheme', { event_server_url: 'localhost:8001' }, /event_server_url is not an http or https address/],
  ['a script', { data_server_url: 'javascript:alert(1)' }, /data_server_url is not an http or https address/],
];

test('an invalid context is refused with the reason and used once it is valid', async ({ tray, desktop }) => {
  const setContext = (context: unknown) => {
    const isPartial = typeof context === 'object' && context !== null && Object.keys(context).length > 0;
    otherLabManager.context = isPartial ? { ...otherLabManager.createContext(lab), ...context } : context;
  };
  setContext(invalidContexts[0]?.[1]);
  // This machine's managers respond: they must not be shown as the other machine's.
  const { page } = await desktop({
    userFiles: {
      'preferences.json': JSON.stringify({ follow: otherLabManager.url }),
      'lab.settings.yaml': `${lab.settings}\n`,
    },
    useLabFolder: false,
  });
  const retryButton = page.getByRole('button', { name: commonTexts.tryAgain });
  await expect(page.getByRole('heading', { name: 'The other lab manager can’t be used' })).toBeVisible();
  for (const [name, context, reason] of invalidContexts) {
    setContext(context);
    await retryButton.click();
    await expect(page.getByText(reason).first(), name).toBeVisible();
    await expect.poll(() => tray.tooltip()).not.toContain('Healthy');
  }
  otherLabManager.context = otherLabManager.createContext(lab);
  // The app may retry first, which removes the button.
  await retryButton.click().catch(() => undefined);
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
});

test('one click leads from an unusable lab manager back to this machine’s lab', async ({ desktop }) => {
  const { page } = await desktop({
    userFiles: {
      'preferences.json': JSON.stringify({ follow: otherLabManager.url }),
      'lab.settings.yaml': `lab_manager_name: Own Lab\nlab_listen_port: 0\n${lab.settings}\n`,
    },
    useLabFolder: false,
  });
  await page.getByRole('button', { name: shellTexts.ownLab }).click();
  await expect(page.getByRole('link', { name: 'Own Lab' })).toBeVisible();
});
