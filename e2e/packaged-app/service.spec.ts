/** A killed service process restarts at once; when it keeps ending, the app shows the reason. */
import { commonTexts } from '../../dashboard/base/texts.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { getServicePid, killService } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

const isResponding = (port: number) => () =>
  fetch(`http://127.0.0.1:${port}/health`).then(
    (response) => response.ok,
    () => false,
  );

test('a service that is killed once is restarted, and the window recovers by itself', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const { app, page } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\n${lab.settings}\n` },
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const pid = await killService(app);
  await expect.poll(() => getServicePid(app)).not.toBe(pid);
  await expect.poll(isResponding(port)).toBe(true);
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('Healthy, 6/6');
});

test('the app shows why a service that was killed four times keeps stopping, and starts it again by button', async ({
  tray,
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const { app, page } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${port}\n${lab.settings}\n` },
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const killed = new Set<number>();
  for (let time = 1; time <= 4; time += 1) {
    await expect
      .poll(async () => {
        const pid = await getServicePid(app);
        return pid !== null && !killed.has(pid);
      })
      .toBe(true);
    // The final page shows the output of the last process, so each one must run long enough to print something.
    await expect.poll(isResponding(port)).toBe(true);
    killed.add(await killService(app));
  }
  await expect(page.getByRole('heading', { name: 'The lab manager service keeps stopping' })).toBeVisible({});
  await expect(page.getByText(/It has stopped 4 times in a row\. It was terminated externally.*SIGKILL/)).toBeVisible();
  await expect(page.getByText(/Next try in [1-5]\d s\./)).toBeVisible();
  await expect(page.getByText(/Listening on/).first()).toBeVisible();
  await expect.poll(() => tray.tooltip()).toContain('keeps stopping');
  expect(await violationsInBothThemes(page)).toEqual([]);

  await page.getByRole('button', { name: commonTexts.tryAgain }).click();
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
});
