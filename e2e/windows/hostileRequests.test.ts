/**
 * Requests that must neither end the service on Windows nor reach files outside its folders. Windows paths have
 * devices, streams, drives, short names and two separators.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { wineEnvironment } from '../../build/setup/winePrefix.mjs';
import { requestBytes, requestRaw } from '../support/rawRequest.ts';
import { startService, type RunningService } from './labManager.ts';
import { makeFolder, unixPath, writeFiles } from './wine.ts';

const secret = 'secret content';
let folder = '';
let service: RunningService;
beforeAll(async () => {
  folder = makeFolder();
  writeFiles({
    [`${folder}\\settings.yaml`]: `dashboard_files_path: ui\r\n`,
    [`${folder}\\outside.txt`]: secret,
    [`${folder}\\ui\\index.html`]: '<div id="entry"></div>',
    [`${folder}\\ui\\app.js`]: 'app()',
    [`${folder}\\ui\\a long name of a file.js`]: 'long()',
    [`${folder}\\ui\\.env`]: secret,
    [`${folder}\\ui\\.git\\config`]: secret,
    [`${folder}\\ui\\sub\\page.js`]: 'page()',
    'C:\\outside.txt': secret,
  });
  service = await startService([], { cwd: folder });
});
afterAll(async () => {
  service.interrupt();
  expect(await service.exitCode).toBe(0);
});

const get = (target: string) => requestRaw(service.port, target, { headers: { accept: 'text/html' } });

/** Checks that the service still responds; each test calls this after its requests. */
async function expectAlive(): Promise<void> {
  expect((await get('/health')).status, service.output()).toBe(200);
}

describe('the code point U+10FFFF, with which libuv aborts on Windows,', () => {
  const character = '%F4%8F%BF%BF';
  it.each(['/', '/assets/', '/help/', '/docs/', '/context/', '/workcells/'])('is refused below %s', async (path) => {
    for (const target of [
      `${path}${character}`,
      `${path}x${character}.js`,
      `http://x${path}${character.toLowerCase()}/`,
    ])
      expect(await get(target)).toMatchObject({ status: 400 });
    await expectAlive();
  });

  it.each(['/help', '/docs', '/context'])('is accepted in the query of %s', async (path) => {
    expect((await get(`${path}?x=${character}`)).status).toBeLessThan(400);
    await expectAlive();
  });

  it.each(['%F4%8F%BF%BE', '%EF%BF%BF', '%F4%8F%BF', '%ED%A0%80', '%25F4%258F%25BF%25BF'])(
    'is similar to the sequence %s, which causes no server error',
    async (other) => {
      expect((await get(`/${other}.js`)).status).toBeLessThan(500);
      await expectAlive();
    },
  );
});

describe('a path', () => {
  it.each([
    '/..\\outside.txt',
    '/..%5Coutside.txt',
    '/sub\\..\\..\\outside.txt',
    '/sub%5C..%5C..%5Coutside.txt',
    '/..%2Foutside.txt',
    '/%2e%2e/outside.txt',
    '/.%2e%5coutside.txt',
    '/C:/outside.txt',
    '/C:%5Coutside.txt',
    '/C:outside.txt',
    '//C:/outside.txt',
    '/%5C%5C?%5CC:%5Coutside.txt',
    '/%5C%5C%3F%5CC:%5Coutside.txt',
    '/%5C%5C.%5CC:%5Coutside.txt',
    '/??/C:/outside.txt',
    '//127.0.0.1/C$/outside.txt',
    '/%5C%5C127.0.0.1%5CC$%5Coutside.txt',
    '/file:///C:/outside.txt',
    '/.env',
    '/.ENV',
    '/%2Eenv',
    '/.env.',
    '/.env%20',
    '/.env::$DATA',
    '/.git/config',
    '/.git::$INDEX_ALLOCATION/config',
    '/.git%5Cconfig',
    '/sub/..%5C.git/config',
  ])('that leads outside or to a hidden file is not served: %s', async (path) => {
    for (const prefix of ['', '/help', '/docs', '/assets']) {
      const response = await get(`${prefix}${path}`);
      expect(response.status).toBeLessThan(500);
      expect(response.body).not.toContain(secret);
    }
    await expectAlive();
  });

  it.each(['CON', 'NUL', 'PRN', 'AUX', 'COM1', 'LPT1', 'CONIN$', 'CONOUT$', 'nul.js', 'con.', 'aux.css', 'COM%C2%B9'])(
    'with the device name %s does not open the device',
    async (device) => {
      for (const path of [`/${device}`, `/sub/${device}`, `/help/${device}`, `/docs/${device}`, `/assets/${device}`])
        expect([200, 404]).toContain((await get(path)).status);
      await expectAlive();
    },
  );

  it.each([
    'app.js::$DATA',
    'app.js:stream',
    'app.js:',
    'sub:$I30:$INDEX_ALLOCATION/page.js',
    'app.js.',
    'app.js%20',
    'app.js...',
  ])('with an alternative file name is not served: %s', async (name) => {
    const response = await get(`/${name}`);
    expect(response.status).toBeLessThan(500);
    expect(response.body).not.toMatch(/app\(\)|page\(\)/);
    await expectAlive();
  });

  it('with other capitals serves the same file', async () => {
    expect(await get('/APP.JS')).toMatchObject({ status: 200, body: 'app()' });
  });

  it('with the short name of a hidden file or folder is not served', async () => {
    const file = unixPath(`${folder}\\short names.txt`);
    execFileSync('sh', ['-c', `wine cmd /c 'dir /x /a ui' > '${file}' 2>&1 < /dev/null`], {
      cwd: unixPath(folder),
      env: wineEnvironment(inject('winePrefix')),
    });
    const readShortName = (name: string) =>
      new RegExp(`(\\S+~\\S+) +${name.replaceAll('.', '\\.')}\\s`).exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    // The short name of a visible file works, so the next ones are refused because they are hidden.
    expect(await get(`/${readShortName('a long name of a file.js')}`)).toMatchObject({ status: 200, body: 'long()' });
    for (const path of [`/${readShortName('.env')}`, `/${readShortName('.git')}/config`]) {
      expect(path).toContain('~');
      expect((await get(path)).body).not.toContain(secret);
    }
    await expectAlive();
  });
});

it.each([
  ['garbage', 'GARBAGE\r\n\r\n', 400],
  ['another protocol', '\u0016\u0003\u0001\u0002', 400],
  ['an unknown method', 'BREW /context HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['a missing host', 'GET /context HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET /health HTTP/1.1\r\nhost: localhost\r\nHost: evil\r\nconnection: close\r\n\r\n', 400],
  ['endless headers', `GET /context HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a control character', 'GET /%00 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
  ['another scheme', 'GET file:///C:/outside.txt HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
])('%s is rejected, and the service continues', async (_name, bytes, status) => {
  expect((await requestBytes(service.port, bytes)).status).toBe(status);
  await expectAlive();
});
