/** The window: first screen, single instance, position, closing, permissions of its pages, About. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, waitForClose, startSecondInstance } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort, type FakeLab } from '../support/managers.ts';
import { startOpener } from '../support/desktop/opener.ts';

function settingsFor(lab: FakeLab, port: number, extraLines = ''): Record<string, string> {
  return { 'settings.yaml': `lab_server_url: http://localhost:${port}\n${lab.settings}\n${extraLines}` };
}

test('a second start brings the first window to the front and ends', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const first = await desktop({ files: settingsFor(lab, await pickFreePort()) });
  await expect(first.page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = startSecondInstance(first.userFolder);
  const isVisible = () => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);
  expect(await second).toBe(0);
});

test('the dashboard of a hidden window is discarded after a minute, unless it has input, and restored when shown', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const { app, page } = await desktop({ files: settingsFor(lab, await pickFreePort()) });
  const setVisible = (isVisible: boolean) =>
    app.evaluate(({ BrowserWindow }, show) => BrowserWindow.getAllWindows()[0]?.[show ? 'show' : 'hide'](), isVisible);
  await page.getByRole('navigation').getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page).toHaveURL(/\/lab$/);
  const { href } = new URL(page.url());
  // What a form with input does.
  await page.evaluate(() => {
    document.body.dataset['input'] = 'unsaved';
    addEventListener('beforeunload', (event) => document.body.dataset['input'] && event.preventDefault());
  });
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.once('will-prevent-unload', () =>
      Object.assign(globalThis, { testPrevented: true }),
    ),
  );
  await setVisible(false);
  const wasPrevented = () => app.evaluate(() => 'testPrevented' in globalThis);
  await expect.poll(wasPrevented, { timeout: 200_000 }).toBe(true);
  expect(page.url()).toBe(href);

  await page.evaluate(() => delete document.body.dataset['input']);
  await expect.poll(() => page.url(), { timeout: 200_000 }).toMatch(/^lab-manager:/);
  await setVisible(true);
  await expect(page).toHaveURL(href);
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
});

test('the window opens at its last position', async ({ startLab, desktop, restartDesktop }) => {
  const lab = await startLab();
  const files = settingsFor(lab, await pickFreePort());
  const first = await desktop({ files });
  await expect(first.page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const lastBounds = { x: 60, y: 50, width: 1000, height: 700 };
  await first.app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    lastBounds,
  );
  // The window manager moves the window with a delay, and the position at closing is saved.
  const readBounds = () => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await expect.poll(readBounds).toEqual(lastBounds);
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const readPreferences = () =>
    readFile(join(first.userFolder, 'preferences.json'), 'utf8').then(
      (text) => JSON.parse(text) as unknown,
      () => null,
    );
  await expect.poll(readPreferences).toMatchObject({ window: lastBounds });
  await first.app.close();

  const restarted = await restartDesktop(first);
  const readRestoredBounds = () =>
    restarted.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await expect.poll(readRestoredBounds).toEqual(lastBounds);
});

test('a page whose process is killed is restored at its address, and the reason is shown after three times', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const { app, page } = await desktop({ files: settingsFor(lab, await pickFreePort()) });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page).toHaveURL(/\/lab$/);
  const urlBefore = page.url();
  // Playwright does not support crashed pages: from here on the test reads the window through the main process.
  const readShownPage = (): Promise<{ url: string; pid: number; text: string }> =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents;
      // A page that ends meanwhile never responds.
      const silence = new Promise<string>((resolve) => setTimeout(() => resolve(''), 500));
      const read = contents.executeJavaScript('document.body.innerText') as Promise<string>;
      const text = await Promise.race([contents.isCrashed() ? silence : read, silence]);
      return { url: contents.getURL(), pid: contents.getOSProcessId(), text };
    });
  const killed: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    await expect
      .poll(async () => {
        const { url, pid, text } = await readShownPage();
        return url === urlBefore && !killed.includes(pid) && text.includes('Managers 6/6');
      })
      .toBe(true);
    const { pid } = await readShownPage();
    killed.push(pid);
    process.kill(pid, 'SIGKILL');
  }
  await expect
    .poll(async () => (await readShownPage()).text)
    .toContain('It failed 3 times in a row: its process ended: killed');
  await expect.poll(async () => (await readShownPage()).url).toBe(urlBefore);
});

test('the app reports its own uncaught errors and continues, and restores a shell page whose process is killed', async ({
  desktop,
}) => {
  const { app, page, userFolder } = await desktop({ files: { 'settings.yaml': 'lab_log_level: LOUD\n' } });
  await expect(page.getByRole('heading', { name: 'A setting has an error' })).toBeVisible();
  await app.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by the test');
    });
    void Promise.reject(new Error('rejected by the test'));
  });
  await expect(
    page.getByRole('status').filter({ hasText: /An error occurred in Lab Manager: .* by the test/ }),
  ).toBeVisible();
  const log = await readFile(join(userFolder, 'logs', 'desktop.log'), 'utf8');
  expect(log).toContain('Uncaught error: thrown by the test');
  expect(log).toContain('Uncaught error: rejected by the test');

  const readState = (): Promise<{ pid: number; title: string }> =>
    app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents;
      return { pid: contents.isCrashed() ? 0 : contents.getOSProcessId(), title: contents.getTitle() };
    });
  const stateBefore = await readState();
  process.kill(stateBefore.pid, 'SIGKILL');
  await expect
    .poll(async () => {
      const { pid, title } = await readState();
      return pid !== stateBefore.pid && pid !== 0 && title === stateBefore.title;
    })
    .toBe(true);
});

test('the dashboard gets no Node, no bridge and no permission, and opens no other site and no second window', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const opener = await startOpener();
  const { app, page } = await desktop({ files: settingsFor(lab, await pickFreePort()), env: opener.env });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const globals = await page.evaluate(() => ({
    node: typeof (globalThis as { require?: unknown }).require,
    process: typeof (globalThis as { process?: unknown }).process,
    bridge: typeof (globalThis as { labManagerShell?: unknown }).labManagerShell,
  }));
  expect(globals).toEqual({ node: 'undefined', process: 'undefined', bridge: 'undefined' });

  const urlBefore = page.url();
  for (const url of ['https://example.org/page', 'file:///etc/passwd', 'javascript:1', 'lab-manager-other://x']) {
    await page.evaluate((target) => void window.open(target), url);
    await page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = target;
      document.body.append(link);
      link.click();
      link.remove();
    }, url);
  }
  await expect.poll(() => opener.openedTargets()).toEqual(['https://example.org/page', 'https://example.org/page']);
  expect(page.url()).toBe(urlBefore);
  expect(app.windows()).toHaveLength(1);
  const permission = await page.evaluate(() =>
    navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
  );
  expect(permission).toBe('denied');
});

test('About shows versions, runtime and addresses', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const { app, page } = await desktop({ files: settingsFor(lab, port) });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const [about] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'About Lab Manager')]);
  await expect(about.getByRole('heading', { name: /^Lab Manager \d+\.\d+\.\d+/ })).toBeVisible();
  await expect(about.getByText(`http://127.0.0.1:${port}/`)).toBeVisible();
  await expect(about.getByText('Electron', { exact: true })).toBeVisible();
  await expect(about.getByText(/sbom\.cdx\.json$/)).toBeVisible();
  await about.getByText('Licences').click();
  await expect(about.getByText(/MIT/).first()).toBeVisible();
  expect(await violationsInBothThemes(about)).toEqual([]);

  // There is only one About window, however often it is opened; Esc closes it.
  await clickMenuItem(app, 'About Lab Manager');
  expect(app.windows()).toHaveLength(2);
  await waitForClose(about, () => about.keyboard.press('Escape'));
  expect(app.windows()).toHaveLength(1);
});

test('the window shows the lab and names the setting when the dashboard is switched off', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab({ data: 'http-503' });
  const { page } = await desktop({ files: settingsFor(lab, await pickFreePort(), 'lab_dashboard_files_path: None\n') });
  await expect(page.getByRole('heading', { name: 'Lab: Degraded' })).toBeVisible();
  await expect(page.getByText(/lab_dashboard_files_path in .*settings\.yaml, line 8/)).toBeVisible();
  await expect(page.getByRole('row', { name: /Data Manager/ })).toContainText('HTTP 503');
  expect(await violationsInBothThemes(page)).toEqual([]);
});

test('quitting requires a confirmation after another machine has used the service', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const port = await pickFreePort();
  // A trusted proxy's header simulates the other machine.
  const extraLines = 'lab_trusted_proxy: ["127.0.0.1", "::1"]\n';
  const { app, page } = await desktop({ files: settingsFor(lab, port, extraLines) });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  await fetch(`http://127.0.0.1:${port}/context`, { headers: { 'x-forwarded-for': '10.9.8.7' } });
  await app.evaluate(({ dialog }) => {
    const questions: string[] = [];
    Object.assign(globalThis, { testQuestions: questions });
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
      questions.push(`${options.message} ${options.detail ?? ''}`);
      // First Cancel, then Quit.
      return Promise.resolve({ response: questions.length === 1 ? 1 : 0, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
  });
  await app.evaluate(({ app: electron }) => electron.quit());
  const questions = () => app.evaluate(() => (globalThis as unknown as { testQuestions: string[] }).testQuestions);
  await expect
    .poll(questions)
    .toEqual([
      expect.stringMatching(
        /^Another machine used this lab manager in the last 10 minutes\. Quit anyway\? 10\.9\.8\.7/,
      ),
    ]);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);

  // Unsaved input is part of the question, and cannot cancel the quit once the service has ended.
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  const closed = app.waitForEvent('close');
  await app.evaluate(({ app: electron, dialog }) => {
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
      const isComplete = options.detail?.endsWith('A form contains input that was not sent or saved.') === true;
      return Promise.resolve({ response: isComplete ? 0 : 1, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
    electron.quit();
  });
  await closed;
});

test('reloading a page with unsaved input requires a confirmation', async ({ startLab, desktop }) => {
  const lab = await startLab();
  const { app, page } = await desktop({ files: settingsFor(lab, await pickFreePort()) });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  // Playwright would keep the page.
  page.on('dialog', () => undefined);
  await page.evaluate(() => {
    Object.assign(globalThis, { isSamePage: true });
    addEventListener('beforeunload', (event) => event.preventDefault());
  });
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) =>
      new Promise((resolve) => {
        const answer = (response: number): void => resolve({ response, checkboxChecked: false });
        Object.assign(globalThis, { question: { message: options.message, answer } });
      })) as typeof dialog.showMessageBox;
  });
  const isSamePage = () =>
    app.evaluate(
      ({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `'isSamePage' in globalThis`,
        ) as Promise<boolean>,
    );
  const reloadAndAnswer = async (response: number): Promise<void> => {
    await app.evaluate(({ BrowserWindow }) => {
      Object.assign(globalThis, { question: null });
      BrowserWindow.getAllWindows()[0]?.webContents.reload();
    });
    type Global = { question: { message: string; answer: (response: number) => void } | null };
    const readQuestion = () => app.evaluate(() => (globalThis as unknown as Global).question?.message);
    await expect.poll(readQuestion).toBe('Discard unsaved input?');
    // Its answer means that the reload is cancelled.
    expect(await isSamePage()).toBe(true);
    await app.evaluate((_electron, chosen) => (globalThis as unknown as Global).question?.answer(chosen), response);
  };
  await reloadAndAnswer(1);
  await reloadAndAnswer(0);
  await expect.poll(isSamePage).toBe(false);
});

test.describe('the app on a desktop without a tray', () => {
  test.use({ hasTray: false });

  test('requires one decision when its window is closed, and then quits', async ({ startLab, desktop }) => {
    const lab = await startLab();
    const { app, page, userFolder } = await desktop({ files: settingsFor(lab, await pickFreePort()) });
    await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
    });
    const closed = app.waitForEvent('close');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await closed;
    const preferences = JSON.parse(await readFile(join(userFolder, 'preferences.json'), 'utf8')) as unknown;
    expect(preferences).toMatchObject({ closeWithoutTray: 'quit' });
  });
});
