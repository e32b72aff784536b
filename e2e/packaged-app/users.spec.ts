/** Users in the Settings window, and the role of the app's own window at the service that the app runs. */
import http from 'node:http';
import https from 'node:https';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright';
import { appKeyHeader, sessionResponse } from '../../api/lab/access.ts';
import { violationsInBothThemes } from '../support/browser/accessibility.ts';
import { clickMenuItem, waitForClose, getServicePid } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';
import { selfSignedCertificate } from '../support/network/selfSigned.ts';
import { startServiceCopy } from '../support/network/otherServices.ts';

async function openSettings(app: ElectronApplication): Promise<Page> {
  const [window] = await Promise.all([app.waitForEvent('window'), clickMenuItem(app, 'Settings…')]);
  await expect(window.getByRole('heading', { name: 'Users' })).toBeVisible();
  return window;
}

/** Sends a request over TLS; the body is JSON. */
function secureRequest(port: number, method: string, headers: Readonly<Record<string, string>>, body = '') {
  const options = { host: 'localhost', port, path: '/session', method, headers, ca: selfSignedCertificate.cert };
  return new Promise<{ readonly status: number; readonly user: string | null }>((resolve, reject) => {
    const request = https.request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { user = null } = JSON.parse(text) as { user?: { name: string; role: string } | null };
        resolve({ status: response.statusCode ?? 0, user: user && `${user.name}, ${user.role}` });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Returns the caller of a request that the page sends, as the service identifies it. */
async function readUser(page: Page) {
  const session = await page.evaluate(() => fetch('/session').then((response) => response.json() as Promise<unknown>));
  return sessionResponse.parse(session).user;
}

test('a user and a token that are added in the settings are accepted over https until they are removed', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const certificates = await mkdtemp(join(tmpdir(), 'tls-'));
  const [cert, key] = [join(certificates, 'cert.pem'), join(certificates, 'key.pem')];
  await Promise.all([writeFile(cert, selfSignedCertificate.cert), writeFile(key, selfSignedCertificate.key)]);
  const tls = `lab_tls_cert_file: ${cert}\nlab_tls_key_file: ${key}\n`;
  const { app, page, userFolder } = await desktop({
    files: { 'settings.yaml': `${tls}lab_remote_access: operate\n${lab.settings}\n` },
    args: [`--lab-listen-port=${port}`],
  });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const signIn = async (name: string, password: string) => {
    const body = JSON.stringify({ name, password });
    return secureRequest(port, 'POST', { 'content-type': 'application/json' }, body);
  };
  const window = await openSettings(app);
  const press = (name: string) => window.getByRole('button', { name, exact: true }).click();
  await press('Add user…');
  await window.getByLabel('Name', { exact: true }).fill('ann');
  await window.getByLabel('Role', { exact: true }).selectOption('Operator');
  await window.getByLabel('Password', { exact: true }).fill('a long password');
  await window.getByLabel('Repeat the password', { exact: true }).fill('a long password');
  await press('Add user');
  await expect(window.getByRole('region', { name: 'Users' }).getByRole('listitem')).toHaveText([/ann\s*Operator/]);
  expect(await violationsInBothThemes(window)).toEqual([]);
  await expect.poll(() => signIn('ann', 'a long password')).toEqual({ status: 200, user: 'ann, operator' });

  await press('Create token…');
  await window.getByLabel('Name', { exact: true }).fill('script');
  await press('Create token');
  const dialog = window.getByRole('dialog', { name: 'API token script' });
  const token = (await dialog.getByText(/^lmt_/).textContent()) ?? '';
  await press('Copy');
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(token);
  await press('Done');
  const requestWithToken = () => secureRequest(port, 'GET', { authorization: `Bearer ${token}` });
  await expect.poll(requestWithToken).toEqual({ status: 200, user: 'script, viewer' });
  const stored = await readFile(join(userFolder, `state/lab-manager/users-${port}.json`), 'utf8');
  expect(stored).not.toContain('a long password');
  expect(stored).not.toContain(token);

  await press('Remove ann…');
  await press('Remove user');
  await press('Revoke script…');
  await press('Revoke token');
  await expect(window.getByText('There is no user yet.')).toBeVisible();
  await expect.poll(async () => (await signIn('ann', 'a long password')).status).toBe(403);
  await expect.poll(async () => (await requestWithToken()).user).toBeNull();
  const log = await readFile(join(userFolder, 'logs/lab-manager.log'), 'utf8');
  expect(log).toContain('The app added the user “ann” as operator');
  expect(log).not.toContain('a long password');
  expect(log).not.toContain(token);
  await waitForClose(window, () => window.keyboard.press('Escape'));
  await rm(certificates, { recursive: true });
});

const proxySettings = (port: number, managers: string) =>
  `lab_server_url: http://localhost:${port}\nlab_remote_access: operate\nlab_trusted_proxy: ["127.0.0.1", "::1"]\n${managers}\n`;

test('the app’s window is administrator behind a trusted proxy, also after a restart of the service, and a browser is not', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const receivedKeys: (string | undefined)[] = [];
  const otherServer = http.createServer(({ headers }, response) => {
    receivedKeys.push(headers[appKeyHeader.toLowerCase()]?.toString());
    response.setHeader('Access-Control-Allow-Origin', '*').end('{}');
  });
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', () => resolve()));
  const address = otherServer.address();
  if (address === null || typeof address === 'string') throw new Error('No port');

  const { app, page } = await desktop({ files: { 'settings.yaml': proxySettings(port, lab.settings) } });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  const appUser = { name: `Lab Manager app on ${hostname()}`, role: 'administrator', via: 'app', screen: false };
  expect(await readUser(page)).toEqual(appUser);
  const readBrowserSession = () => fetch(`http://127.0.0.1:${port}/session`).then((response) => response.json());
  expect(await readBrowserSession()).toMatchObject({ user: null });
  // A manager on this machine gets no key.
  await page.evaluate(
    (url) => fetch(url).then((response) => response.text()),
    `http://127.0.0.1:${address.port}/health`,
  );
  expect(receivedKeys).toEqual([undefined]);

  const pid = await getServicePid(app);
  if (pid === null) throw new Error('The service does not run');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => getServicePid(app)).not.toBe(pid);
  await expect.poll(() => readUser(page).catch(() => null)).toEqual(appUser);
  otherServer.close();
});

test('the app’s window has no role behind a trusted proxy at a service that the app only shows', async ({
  startLab,
  desktop,
}) => {
  const lab = await startLab();
  const port = await pickFreePort();
  const settings = proxySettings(port, lab.settings);
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  await writeFile(join(folder, 'settings.yaml'), settings);
  const service = await startServiceCopy(folder, port);
  const { page } = await desktop({ files: { 'settings.yaml': settings } });
  await expect(page.getByText('Managers 6/6', { exact: true })).toBeVisible();
  expect(await readUser(page)).toBeNull();
  await service.stop();
  await rm(folder, { recursive: true });
});
