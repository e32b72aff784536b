/**
 * A newer version from a feed on this machine: found automatically, downloaded and installed only by the user; and
 * faults of a feed.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import type { ElectronApplication } from 'playwright';
import { clickMenuItem, programUnderTest } from '../support/desktop/desktopApp.ts';
import { expect, test } from '../support/desktop/desktopTest.ts';
import { pickFreePort } from '../support/managers.ts';

type RequestHandler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

interface Feed {
  readonly url: string;
  readonly requests: string[];
  /** The feed's current responses, by the end of the path. */
  files: Readonly<Record<string, string | Buffer | RequestHandler>>;
  close(): Promise<void>;
}

async function openFeed(): Promise<Feed> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://feed').pathname.split('/').at(-1) ?? '';
    requests.push(name);
    const body = feed.files[name];
    if (typeof body === 'function') return body(request, response);
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const feed: Feed = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lab-manager/`,
    requests,
    files: {},
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return feed;
}

const createList = (version: string, content: string): string =>
  [
    `version: ${version}`,
    'files:',
    `  - url: lab-manager-${version}.AppImage`,
    `    sha512: ${createHash('sha512').update(content).digest('base64')}`,
    `    size: ${Buffer.byteLength(content)}`,
    `path: lab-manager-${version}.AppImage`,
    "releaseDate: '2026-11-22T00:00:00.000Z'",
    '',
  ].join('\n');

interface ShownDialog {
  readonly message: string;
  readonly detail: string;
}

/** Makes every dialog click the button of this name, otherwise its Cancel button. */
async function clickInDialogs(app: ElectronApplication, button: string): Promise<void> {
  await app.evaluate(({ dialog }, requested) => {
    const dialogs: unknown[] = [];
    Object.assign(globalThis, { shownToTest: dialogs });
    dialog.showMessageBox = ((_window: unknown, options: Electron.MessageBoxOptions) => {
      dialogs.push({ message: options.message, detail: options.detail ?? '' });
      const index = (options.buttons ?? []).indexOf(requested);
      return Promise.resolve({ response: index === -1 ? (options.cancelId ?? 0) : index, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
  }, button);
}

function readDialogs(app: ElectronApplication): Promise<readonly ShownDialog[]> {
  return app.evaluate(() => (globalThis as unknown as { shownToTest: readonly ShownDialog[] }).shownToTest);
}

/** Checks for updates from the menu. @returns all dialogs once `count` of them were shown */
async function checkForUpdates(
  app: ElectronApplication,
  button: string,
  count: number,
): Promise<readonly ShownDialog[]> {
  await clickInDialogs(app, button);
  await clickMenuItem(app, 'Check for Updates…');
  await expect.poll(async () => (await readDialogs(app)).length).toBeGreaterThanOrEqual(count);
  return readDialogs(app);
}

let folder = '';
let feed: Feed;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'updates-'));
  feed = await openFeed();
});
test.afterEach(async () => {
  await feed.close();
  await rm(folder, { recursive: true, force: true });
});

async function createSettings(extraLines = ''): Promise<Record<string, string>> {
  const port = await pickFreePort();
  return { 'settings.yaml': `lab_server_url: http://localhost:${port}\nlab_update_feed: ${feed.url}\n${extraLines}` };
}
/** The environment of an AppImage whose file is `appImage`. */
function createEnvironment(appImage: string): Record<string, string> {
  const { executablePath } = programUnderTest();
  return { APPIMAGE: appImage, APPDIR: dirname(executablePath), XDG_CACHE_HOME: join(folder, 'cache') };
}

test('a newer version is announced, and downloaded and installed only when the user chooses so', async ({
  desktop,
}) => {
  const appImage = join(folder, 'lab-manager.AppImage');
  const marker = join(folder, 'started');
  const content = `#!/bin/sh\necho new > '${marker}'\n`;
  await writeFile(appImage, 'the one that runs', { mode: 0o755 });
  feed.files = { 'latest-linux.yml': createList('9.9.9', content), 'lab-manager-9.9.9.AppImage': content };
  const { app, page } = await desktop({ files: await createSettings(), env: createEnvironment(appImage) });
  await expect(page).toHaveURL(/^http:/);
  // The app checks automatically, and downloads nothing.
  await expect(page.getByText(/^Version 9\.9\.9 of Lab Manager is available\./)).toBeVisible();
  expect(feed.requests.filter((name) => name.endsWith('.AppImage'))).toEqual([]);
  const [offer, ready] = await checkForUpdates(app, 'Download', 2);
  expect(offer?.message).toBe('Version 9.9.9 is available');
  expect(ready?.message).toBe('Version 9.9.9 is ready to install');
  expect(await readFile(appImage, 'utf8')).toBe('the one that runs');
  await expect(page.getByText(/^Version 9\.9\.9 of Lab Manager is ready to install\./)).toBeVisible();
  const exited = new Promise((resolve) => app.process().once('exit', resolve));
  await clickInDialogs(app, 'Restart and Install');
  await clickMenuItem(app, 'Check for Updates…');
  await exited;
  await expect.poll(() => readFile(marker, 'utf8').catch(() => '')).toBe('new\n');
  expect(await readFile(appImage, 'utf8')).toBe(content);
  expect((await stat(appImage)).mode & 0o777).toBe(0o755);
});

test('a tampered package is refused, reported and deleted', async ({ desktop }) => {
  const appImage = join(folder, 'lab-manager.AppImage');
  await writeFile(appImage, 'the one that runs', { mode: 0o755 });
  feed.files = { 'latest-linux.yml': createList('9.9.9', 'honest'), 'lab-manager-9.9.9.AppImage': 'forged' };
  const { app, page } = await desktop({ files: await createSettings(), env: createEnvironment(appImage) });
  await expect(page.getByText(/^Version 9\.9\.9 of Lab Manager is available\./)).toBeVisible();
  const dialogs = await checkForUpdates(app, 'Download', 2);
  expect(dialogs[1]).toMatchObject({
    message: 'Downloading the update failed',
    detail: expect.stringContaining('SHA-512 differs'),
  });
  expect(feed.requests).toContain('lab-manager-9.9.9.AppImage');
  const cachedFiles = await readdir(join(folder, 'cache'), { recursive: true }).catch(() => []);
  expect(cachedFiles.filter((name) => name.includes('AppImage'))).toEqual([]);
  expect(await readFile(appImage, 'utf8')).toBe('the one that runs');
  // A version that cannot be verified is not requested.
  const requestsBefore = feed.requests.length;
  feed.files = { ...feed.files, 'latest-linux.yml': createList('9.9.9', 'honest').replace(/ {4}sha512.*\n/, '') };
  const [unchecked] = await checkForUpdates(app, 'Download', 1);
  expect(unchecked?.detail).toContain('gives no SHA-512');
  expect(feed.requests.slice(requestsBefore)).toEqual(['latest-linux.yml']);
});

test('the app with a configured key accepts only an update list that is signed with it', async ({ desktop }) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const appImage = join(folder, 'lab-manager.AppImage');
  await writeFile(appImage, 'the one that runs', { mode: 0o755 });
  const honest = createList('9.9.9', 'honest');
  const signature = sign(null, Buffer.from(honest), privateKey);
  const packages = { 'lab-manager-9.9.9.AppImage': 'honest' };
  feed.files = { 'latest-linux.yml': honest, ...packages };
  const files = await createSettings(`lab_update_public_key: ${key}\n`);
  const { app, page } = await desktop({ files, env: createEnvironment(appImage) });
  await expect(page).toHaveURL(/^http:/);
  const [unsigned] = await checkForUpdates(app, 'Download', 1);
  expect(unsigned?.detail).toContain('the feed has no latest-linux.yml.sig');
  // List and package were changed together: their hashes match.
  feed.files = {
    'latest-linux.yml': createList('9.9.9', 'forged'),
    'latest-linux.yml.sig': signature,
    'lab-manager-9.9.9.AppImage': 'forged',
  };
  const [forged] = await checkForUpdates(app, 'Download', 1);
  expect(forged?.detail).toContain('is not signed with the key of LAB_UPDATE_PUBLIC_KEY');
  expect(feed.requests).not.toContain('lab-manager-9.9.9.AppImage');
  feed.files = { 'latest-linux.yml': honest, 'latest-linux.yml.sig': signature, ...packages };
  const [offer, ready] = await checkForUpdates(app, 'Download', 2);
  expect(offer?.detail).toContain('The feed’s list is signed with your key.');
  expect(ready?.message).toBe('Version 9.9.9 is ready to install');
});

test('an older version is not an update, and faults of a feed are reported', async ({ desktop }) => {
  const appImage = join(folder, 'lab-manager.AppImage');
  feed.files = { 'latest-linux.yml': createList('0.0.1', 'old') };
  const { app, page } = await desktop({ files: await createSettings(), env: createEnvironment(appImage) });
  await expect(page).toHaveURL(/^http:/);
  await expect.poll(() => feed.requests).toContain('latest-linux.yml');
  expect((await checkForUpdates(app, 'OK', 1))[0]?.message).toMatch(/^Version 0\.1\.0.* is the newest$/);
  const broken: readonly (readonly [string, Feed['files'], RegExp])[] = [
    ['nothing there', {}, /no list of versions/],
    ['garbage', { 'latest-linux.yml': '{{{: not\n\tyaml' }, /can’t be read/],
    ['an error', { 'latest-linux.yml': (_request, response) => void response.writeHead(500).end() }, /HTTP 500/],
    ['silence', { 'latest-linux.yml': () => undefined }, /does not answer within 15 s/],
  ];
  for (const [name, files, text] of broken) {
    feed.files = files;
    const [dialog] = await checkForUpdates(app, 'OK', 1);
    expect(`${dialog?.message} ${dialog?.detail}`, name).toMatch(text);
  }
  expect(feed.requests.filter((name) => name !== 'latest-linux.yml')).toEqual([]);
});

test('a copy that can’t replace itself links to the new version, and without a feed no request is sent', async ({
  desktop,
}) => {
  feed.files = { 'latest-linux.yml': createList('9.9.9', 'x') };
  const { app, page } = await desktop({
    files: await createSettings(),
    env: { XDG_CACHE_HOME: join(folder, 'cache') },
  });
  await expect(page.getByText(/^Version 9\.9\.9 of Lab Manager is available\./)).toBeVisible();
  const [offer] = await checkForUpdates(app, 'Later', 1);
  expect(offer?.detail).toContain(`get the new version from ${feed.url}`);
  const { app: appWithoutFeed, page: pageWithoutFeed } = await desktop({
    files: { 'settings.yaml': `lab_server_url: http://localhost:${await pickFreePort()}\n` },
  });
  await expect(pageWithoutFeed).toHaveURL(/^http:/);
  const [noFeed] = await checkForUpdates(appWithoutFeed, 'OK', 1);
  expect(noFeed?.message).toBe('No update feed is set');
});

/** Redirects to itself the given number of times, then returns `content`. */
function redirectTimes(times: number, content: string): RequestHandler {
  return (request, response) => {
    const step = Number(new URL(request.url ?? '/', 'http://feed').searchParams.get('step') ?? '0');
    if (step < times) return void response.writeHead(302, { location: `?step=${step + 1}` }).end();
    response.writeHead(200, { 'content-length': Buffer.byteLength(content) }).end(content);
  };
}

test('at most five redirects within the feed’s origin are followed, and downloads end at the stated size', async ({
  desktop,
}) => {
  const appImage = join(folder, 'lab-manager.AppImage');
  await writeFile(appImage, 'the one that runs', { mode: 0o755 });
  const content = 'the new one';
  const otherFeed = await openFeed();
  otherFeed.files = { 'latest-linux.yml': createList('9.9.9', content), 'lab-manager-9.9.9.AppImage': content };
  try {
    feed.files = { 'latest-linux.yml': createList('0.0.1', 'old') };
    const { app, page } = await desktop({ files: await createSettings(), env: createEnvironment(appImage) });
    await expect(page).toHaveURL(/^http:/);
    await expect.poll(() => feed.requests).toContain('latest-linux.yml');
    const toOtherHost: RequestHandler = (request, response) =>
      void response.writeHead(302, { location: new URL(request.url ?? '/', otherFeed.url).href }).end();
    const refusedLists: readonly (readonly [string, string | RequestHandler, RegExp])[] = [
      ['six redirects', redirectTimes(6, createList('9.9.9', content)), /the feed redirects more than 5 times/],
      ['another origin', toOtherHost, /the feed redirects to http:\/\/127\.0\.0\.1:\d+\. If it has moved/],
      ['a long list', createList('9.9.9', content).padEnd(2_000_000, '\n'), /has 2000000 bytes, and at most 1048576/],
      [
        'no length',
        (_request, response) => void response.writeHead(200).end(createList('9.9.9', content)),
        /state the length/,
      ],
    ];
    for (const [name, respond, text] of refusedLists) {
      feed.files = { 'latest-linux.yml': respond };
      const [dialog] = await checkForUpdates(app, 'Download', 1);
      expect(dialog, name).toMatchObject({
        message: 'Checking for updates failed',
        detail: expect.stringMatching(text),
      });
    }
    feed.files = {
      'latest-linux.yml': redirectTimes(5, createList('9.9.9', content)),
      'lab-manager-9.9.9.AppImage': 'much longer than the list states',
    };
    const [, tooLong] = await checkForUpdates(app, 'Download', 2);
    expect(tooLong?.detail).toContain('lab-manager-9.9.9.AppImage has 32 bytes, and the feed’s list states 11');
    feed.files = { ...feed.files, 'lab-manager-9.9.9.AppImage': toOtherHost };
    const [, redirected] = await checkForUpdates(app, 'Download', 2);
    expect(redirected?.detail).toContain('the feed redirects to');
    expect(otherFeed.requests).toEqual([]);
    feed.files = { ...feed.files, 'lab-manager-9.9.9.AppImage': redirectTimes(5, content) };
    const [, ready] = await checkForUpdates(app, 'Download', 2);
    expect(ready?.message).toBe('Version 9.9.9 is ready to install');
  } finally {
    await otherFeed.close();
  }
});

test('a check ends when the feed is removed from the settings', async ({ desktop }) => {
  let [requests, closedCount] = [0, 0];
  feed.files = {
    'latest-linux.yml': (_request, response) => {
      requests += 1;
      response.once('close', () => (closedCount += 1));
    },
  };
  const files = await createSettings();
  const { app, page, labFolder } = await desktop({
    files,
    env: createEnvironment(join(folder, 'lab-manager.AppImage')),
  });
  await expect(page).toHaveURL(/^http:/);
  await clickInDialogs(app, 'OK');
  await clickMenuItem(app, 'Check for Updates…');
  await expect.poll(() => requests).toBeGreaterThan(0);
  expect(closedCount).toBe(0);
  await writeFile(join(labFolder, 'settings.yaml'), (files['settings.yaml'] ?? '').replace(/^lab_update_feed.*$/m, ''));
  await expect.poll(async () => (await readDialogs(app))[0]?.detail).toContain('the feed was removed meanwhile');
  await expect.poll(() => closedCount).toBe(requests);
});

test('the banner starts the download of an update, shows its progress, cancels it and closes', async ({ desktop }) => {
  const appImage = join(folder, 'lab-manager.AppImage');
  await writeFile(appImage, 'the one that runs', { mode: 0o755 });
  const content = 'x'.repeat(100_000);
  let isSlow = true;
  const name = 'lab-manager-9.9.9.AppImage';
  const respondWithHalf: RequestHandler = (_request, response) => {
    response.writeHead(200, { 'content-length': content.length });
    if (isSlow) response.write(content.slice(0, 50_000));
    else response.end(content);
  };
  feed.files = { 'latest-linux.yml': createList('9.9.9', content), [name]: respondWithHalf };
  const { app, page } = await desktop({ files: await createSettings(), env: createEnvironment(appImage) });
  const notices = page.getByRole('list', { name: 'Notices of the desktop app' });
  await expect(notices).toContainText('Version 9.9.9 of Lab Manager is available.');
  await clickInDialogs(app, 'Download');
  await notices.getByRole('button', { name: 'Update…' }).click();
  await expect(notices).toContainText('is downloading');
  await expect(notices.getByRole('progressbar')).toBeVisible();
  await notices.getByRole('button', { name: 'Cancel download' }).click();
  await expect(notices).toContainText('is available.');
  // A cancelled download is not a failure.
  expect((await readDialogs(app)).map(({ message }) => message)).toEqual(['Version 9.9.9 is available']);
  isSlow = false;
  await notices.getByRole('button', { name: 'Close' }).click();
  await expect(notices).toHaveCount(0);
  const [, ready] = await checkForUpdates(app, 'Download', 2);
  expect(ready?.message).toBe('Version 9.9.9 is ready to install');
  await expect(notices.getByRole('button', { name: 'Install…' })).toBeVisible();
});
