/**
 * Following the lab manager of another machine: connected, lost, wrong, remembered; and this machine's lab is never
 * shown in its place.
 */
import { commonTexts } from '../../dashboard/base/texts.ts';
import { shellTexts } from '../../electron/pages/parts/texts.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { startLab, type FakeLab } from '../support/managers.ts';
import { OtherLabManager } from '../support/network/otherLabManager.ts';

const slow = { timeout: 20_000 };

let lab: FakeLab;
let other: OtherLabManager;
test.beforeEach(async () => {
  lab = await startLab();
  other = new OtherLabManager();
  await other.start();
});
test.afterEach(async () => {
  await other.stop();
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
  const answerWith = (context: unknown) => {
    const partly = typeof context === 'object' && context !== null && Object.keys(context).length > 0;
    other.context = partly ? { ...other.createContext(lab), ...context } : context;
  };
  answerWith(invalidContexts[0]?.[1]);
  // This machine's managers respond: they must not be shown as the other machine's.
  const { page } = await desktop({
    userFiles: {
      'preferences.json': JSON.stringify({ follow: other.url }),
      'lab.settings.yaml': `${lab.settings}\n`,
    },
    useLabFolder: false,
  });
  const retryButton = page.getByRole('button', { name: commonTexts.tryAgain });
  await expect(page.getByRole('heading', { name: 'The other lab manager can’t be used' })).toBeVisible(slow);
  for (const [name, context, reason] of invalidContexts) {
    answerWith(context);
    await retryButton.click();
    await expect(page.getByText(reason).first(), name).toBeVisible(slow);
    await expect.poll(() => tray.tooltip()).not.toContain('Healthy');
  }
  other.context = other.createContext(lab);
  await retryButton.click();
  await expect(page.getByText('Healthy 6/6', { exact: true })).toBeVisible(slow);
});

test('one press leads from an unusable lab manager back to this machine’s lab', async ({ desktop }) => {
  const { page } = await desktop({
    userFiles: {
      'preferences.json': JSON.stringify({ follow: other.url }),
      'lab.settings.yaml': `lab_manager_name: Own Lab\nlab_listen_port: 0\n${lab.settings}\n`,
    },
    useLabFolder: false,
  });
  await page.getByRole('button', { name: shellTexts.ownLab }).click(slow);
  await expect(page.getByRole('link', { name: 'Own Lab' })).toBeVisible(slow);
});
