import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, requestRaw } from '#e2e/support/rawRequest.ts';
import { makeService, smallDashboard, startService, type TestService } from '#e2e/support/service.ts';
import { makeTempFolder } from '../../fixtures/tempFolder.ts';
import { dashboardPolicy } from '../headers.ts';

const disabledManagers = Object.fromEntries(
  ['EVENT', 'EXPERIMENT', 'RESOURCE', 'DATA', 'WORKCELL', 'LOCATION'].map((name) => [`${name}_SERVER_URL`, 'None']),
);
const html = smallDashboard['index.html'] ?? '';
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the bundled dashboard', () => {
  let service: TestService;
  let port = 0;
  beforeAll(async () => {
    service = await startService({ env: disabledManagers });
    ({ port } = service);
  });
  afterAll(() => service.stop());

  it.each(['/', '/index.html', '/lab', '/workflows', '/?kiosk', '/v1.x%20y'])(
    'serves its entry page at %s',
    async (path) => {
      const response = await sendRequest(port, path, { headers: browser });
      expect(response.status).toBe(200);
      expect(response.body).toBe(html);
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': dashboardPolicy,
        vary: 'Accept-Encoding',
      });
      const head = await sendRequest(port, path, { method: 'HEAD', headers: browser });
      expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', String(html.length)]);
    },
  );

  it.each([
    ['/workflows/abc', '../'],
    ['/lab/', '../'],
    ['/a/b/c', '../../'],
    ['/a%2Fb/c', '../'],
    ['/nothing/x.js', '../'],
  ])('serves its entry page at %s with links relative to %s', async (path, up) => {
    const response = await sendRequest(port, path, { headers: { ...browser, 'accept-encoding': 'br' } });
    expect(response.status).toBe(200);
    expect(response.body).toBe(html.replace('"./', `"${up}`));
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': dashboardPolicy,
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    const etag = response.headers['etag'] ?? '';
    const again = await sendRequest(port, path, { headers: { ...browser, 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    const head = await sendRequest(port, path, { method: 'HEAD', headers: browser });
    expect([head.status, head.body, head.headers['etag']]).toEqual([200, '', etag]);
  });

  it('is not sent to a program that requests an endpoint below a prefix', async () => {
    const response = await sendRequest(port, '/lab/context', { headers: { accept: '*/*' } });
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(response.body).toContain('a proxy has to remove its own');
    expect((await sendRequest(port, '/nodes/health', { headers: browser })).body).toContain('<');
  });

  it('serves the web app manifest with the name of the lab, and 304 if it is current', async () => {
    const plain = await sendRequest(port, '/manifest.webmanifest');
    expect([plain.status, plain.body]).toEqual([200, smallDashboard['manifest.webmanifest']]);
    expect(plain.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/manifest\+json/),
      'cache-control': 'no-cache',
      'content-security-policy': dashboardPolicy,
    });
    const named = await startService({ env: { ...disabledManagers, LAB_MANAGER_NAME: 'Bench 3' } });
    try {
      const response = await sendRequest(named.port, '/manifest.webmanifest');
      expect(JSON.parse(response.body)).toEqual({ name: 'Bench 3', short_name: 'Bench 3', start_url: './' });
      const etag = response.headers['etag'] ?? '';
      const again = await sendRequest(named.port, '/manifest.webmanifest', { headers: { 'if-none-match': etag } });
      expect([again.status, again.body]).toEqual([304, '']);
    } finally {
      await named.stop();
    }
  });

  it('returns 404 for a missing asset, but its page for a browser navigation', async () => {
    for (const path of ['/nothing.js', '/assets/app-00000000.js', '/favicon.ico', '/a/b.map']) {
      const response = await sendRequest(port, path, { headers: { accept: '*/*' } });
      expect(response.status).toBe(404);
      expect(JSON.parse(response.body)).toEqual({ detail: 'Not Found' });
      expect(response.headers['cache-control']).toBe('no-store');
      expect((await sendRequest(port, path, { headers: browser })).status).toBe(200);
    }
  });

  it('sends hashed assets with a cache lifetime of a year and other files for revalidation', async () => {
    const asset = await sendRequest(port, '/assets/app-D_5CzI00.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await sendRequest(port, '/licences.json')).headers['cache-control']).toBe('no-cache');
  });

  it.each(['/', '/assets/app-D_5CzI00.js'])('sends an ETag for %s and 304 to a client that has it', async (path) => {
    const { headers } = await sendRequest(port, path);
    const again = await sendRequest(port, path, { headers: { 'if-none-match': headers['etag'] ?? '' } });
    expect([again.status, again.body]).toEqual([304, '']);
    expect(again.headers['cache-control']).toBe(headers['cache-control']);
    expect((await sendRequest(port, path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it.each([
    ['br, gzip', 'br', 'as brotli: app'],
    ['gzip', 'gzip', 'as gzip: app'],
    ['gzip, br;q=0', 'gzip', 'as gzip: app'],
    ['identity', undefined, smallDashboard['assets/app-D_5CzI00.js']],
    ['', undefined, smallDashboard['assets/app-D_5CzI00.js']],
  ])('sends an asset to a client that accepts “%s” with the encoding %s', async (accepted, encoding, body) => {
    const response = await sendRequest(port, '/assets/app-D_5CzI00.js', { headers: { 'accept-encoding': accepted } });
    expect(response.body).toBe(body);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  it('has different ETags for the compressed and the plain entry page', async () => {
    const plain = await sendRequest(port, '/');
    const brotli = await sendRequest(port, '/lab', { headers: { 'accept-encoding': 'br' } });
    expect(brotli.body).toBe('as brotli: index');
    expect(brotli.headers['etag']).not.toBe(plain.headers['etag']);
  });

  it('sends a file without a compressed sibling unchanged', async () => {
    const response = await sendRequest(port, '/assets/plain.js', { headers: { 'accept-encoding': 'br, gzip' } });
    expect([response.body, response.headers['content-encoding']]).toEqual([
      smallDashboard['assets/plain.js'],
      undefined,
    ]);
  });

  it('sends ranges of the plain file', async () => {
    const headers = { range: 'bytes=13-16', 'accept-encoding': 'br' };
    const part = await sendRequest(port, '/assets/app-D_5CzI00.js', { headers });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, '0123', 'bytes 13-16/27']);
    expect(part.headers).not.toHaveProperty('content-encoding');
  });

  it('returns a JSON error for an invalid range, and 412 for a condition that is not met', async () => {
    const response = await sendRequest(port, '/assets/app-D_5CzI00.js', { headers: { range: 'bytes=100-200' } });
    expect([response.status, response.headers['content-range']]).toEqual([416, 'bytes */27']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(JSON.parse(response.body)).toHaveProperty('detail');
    const failed = await sendRequest(port, '/', { headers: { 'if-match': '"other"', 'accept-encoding': 'br' } });
    expect(failed.status).toBe(412);
    expect(failed.headers).not.toHaveProperty('content-encoding');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('rejects %s everywhere', async (method) => {
    for (const path of ['/', '/lab', '/assets/plain.js', '/nothing.js']) {
      const response = await sendRequest(port, path, { method });
      expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('serves a file whose name needs encoding', async () => {
    expect((await sendRequest(port, '/assets/style%20sheet%231.css')).body).toBe('body {}\n');
  });

  it('never lists a directory', async () => {
    for (const path of ['/assets', '/assets/', '/assets//', '//assets/']) {
      const response = await sendRequest(port, path, { headers: browser });
      expect(response.body).toContain('<title>small</title>');
      expect(response.body).not.toContain('plain.js');
    }
  });

  it.each([
    '/.secret',
    '/.vite/manifest.json',
    '/%2esecret',
    '/assets/../.secret',
    '/.',
    '/./.secret',
    '/.well-known/x',
  ])('hides the dotfile %s', async (path) => {
    const response = await requestRaw(port, path, { headers: browser });
    expect(response.status).toBe(404);
    expect(response.body).not.toContain('dotfile');
  });

  it.each([
    '/../outside.txt',
    '/../../../../../../etc/passwd',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/%2e%2e%2foutside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/..%5coutside.txt',
    '/..\\outside.txt',
    '\\..\\outside.txt',
    '//../outside.txt',
    '/assets/%2e%2e/%2e%2e/outside.txt',
    '/%252e%252e/outside.txt',
    '/..;/outside.txt',
    '/%c0%ae%c0%ae/outside.txt',
    '/..%00/outside.txt',
    'http://x/../outside.txt',
  ])('refuses the path %s outside of its folder', async (target) => {
    await writeFile(join(service.folder.path, 'outside.txt'), 'outside');
    const response = await requestRaw(port, target);
    expect([400, 404]).toContain(response.status);
    expect(response.body).not.toMatch(/outside$|root:/);
    // An invalid request target is refused with an empty body.
    if (response.body !== '') expect(JSON.parse(response.body)).toHaveProperty('detail');
  });

  it('returns a page, 404 or 414 for a name that is too long for the file system', async () => {
    const longName = 'x'.repeat(1000);
    expect((await sendRequest(port, `/${longName}`)).status).toBe(200);
    expect((await sendRequest(port, `/${longName}.js`)).status).toBe(404);
    expect((await sendRequest(port, `/${'x'.repeat(5000)}`)).status).toBe(414);
    expect((await sendRequest(port, `/docs/${'../'.repeat(40)}`)).status).toBe(414);
  });
});

describe('a dashboard directory of the user', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const userDashboard = {
    'ui/index.html': '<!doctype html><title>theirs</title><script src="./assets/a.js"></script>',
    'ui/assets/a.js': 'theirs()',
    'ui/assets/index-B4d1xYz0.js': 'hashed()',
    'ui/sub/index.html': '<title>below</title>',
  };
  const settings = { 'settings.yaml': 'dashboard_files_path: ./ui\n' };

  it('is served unchanged, restricted only in framing and sniffing', async () => {
    service = await startService({ env: disabledManagers, files: { ...settings, ...userDashboard } });
    const page = await sendRequest(service.port, '/');
    expect(page.body).toBe(userDashboard['ui/index.html']);
    expect(page.headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    expect((await sendRequest(service.port, '/deep/down')).body).toBe(userDashboard['ui/index.html']);
    expect((await sendRequest(service.port, '/sub/')).body).toBe(userDashboard['ui/sub/index.html']);
    expect((await sendRequest(service.port, '/assets/a.js')).headers['cache-control']).toBe('no-cache');
    expect((await sendRequest(service.port, '/assets/index-B4d1xYz0.js')).headers['cache-control']).toContain(
      'immutable',
    );
    expect((await sendRequest(service.port, '/nothing.js')).status).toBe(404);
    expect(service.running).toMatchObject({ dashboard: 'directory', warnings: [] });
  });

  // Windows reserves links for administrators.
  it.skipIf(process.platform === 'win32')(
    'never leads outside through a link that is swapped during requests',
    async () => {
      await using outside = await makeTempFolder({ 'secret.js': 'the secret' });
      await using ui = await makeTempFolder({ 'index.html': '<!doctype html>', 'real.js': 'public' });
      service = await startService({ argv: ['--lab-dashboard-files-path', ui.path] });
      const link = join(ui.path, 'link.js');
      const stop = new AbortController();
      const swap = (async () => {
        for (let round = 0; !stop.signal.aborted; round += 1) {
          const target = round % 2 === 0 ? join(outside.path, 'secret.js') : join(ui.path, 'real.js');
          await symlink(target, `${link}.new`);
          await rename(`${link}.new`, link);
        }
      })();
      const bodies = new Set<string>();
      for (let round = 0; round < 40; round += 1) {
        const responses = await Promise.all(Array.from({ length: 10 }, () => sendRequest(service.port, '/link.js')));
        for (const { body } of responses) bodies.add(body);
      }
      stop.abort();
      await swap;
      expect(bodies).toContain('public');
      expect([...bodies].join()).not.toContain('the secret');
    },
  );

  it.skipIf(process.platform === 'win32')('never leads outside through links of any file', async () => {
    service = await startService({ env: disabledManagers, files: { ...settings, ...userDashboard } });
    const outside = join(service.folder.path, 'outside');
    const ui = join(service.labFolder, 'ui');
    await mkdir(join(outside, 'folder'), { recursive: true });
    await mkdir(join(ui, 'linked'));
    for (const name of ['secret.js', 'secret.js.br', 'index.html', 'folder/x.js'])
      await writeFile(join(outside, name), `secret ${name}`);
    await symlink(join(outside, 'secret.js'), join(ui, 'link.js'));
    await symlink(join(outside, 'secret.js.br'), join(ui, 'assets/a.js.br'));
    await symlink(join(outside, 'folder'), join(ui, 'folder'));
    await symlink(join(outside, 'index.html'), join(ui, 'linked/index.html'));
    await symlink(join(ui, 'assets/a.js'), join(ui, 'inside.js'));
    const headers = { 'accept-encoding': 'br' };
    for (const path of [
      '/link.js',
      '/folder/x.js',
      '/assets/a.js',
      '/linked/',
      '/linked/index.html',
      '/assets/a.js.br',
    ])
      expect((await sendRequest(service.port, path, { headers })).body).not.toContain('secret');
    expect((await sendRequest(service.port, '/assets/a.js', { headers })).body).toBe('theirs()');
    expect((await sendRequest(service.port, '/inside.js')).body).toBe('theirs()');

    await rm(join(ui, 'index.html'));
    await symlink(join(outside, 'index.html'), join(ui, 'index.html'));
    const page = await sendRequest(service.port, '/any/page');
    expect([page.status, page.body]).toEqual([404, '{"detail":"The dashboard directory has no index.html"}']);
  });

  it('is replaced by the bundled one with a warning when it is missing', async () => {
    service = await startService({
      env: disabledManagers,
      files: { 'settings.yaml': 'dashboard_files_path: ./nowhere\n' },
    });
    expect((await sendRequest(service.port, '/')).body).toBe(html);
    expect(service.running.warnings).toMatchObject([
      { key: 'dashboard_files_path', line: 1, message: expect.stringContaining('the bundled dashboard is served') },
    ]);
    expect(service.log.join('\n')).toMatch(/warn .*settings\.yaml:1.*no such directory/);
  });

  it('returns 404 when it disappears while it is served', async () => {
    service = await startService({ env: disabledManagers, files: { ...settings, ...userDashboard } });
    await rm(join(service.labFolder, 'ui'), { recursive: true });
    expect((await sendRequest(service.port, '/')).status).toBe(404);
    expect((await sendRequest(service.port, '/assets/a.js')).status).toBe(404);
  });
});

describe('a dashboard that is switched off', () => {
  it.each([['--lab-dashboard-files-path=None'], ['--dashboard_files_path=none']])(
    'is not served with %s',
    async (argument) => {
      const service = await startService({ env: disabledManagers, argv: [argument] });
      for (const path of ['/', '/lab', '/assets/plain.js', '/index.html']) {
        const response = await sendRequest(service.port, path, { headers: browser });
        expect(response.status).toBe(404);
        expect(response.body).toContain('LAB_DASHBOARD_FILES_PATH is None');
      }
      expect((await sendRequest(service.port, '/docs')).status).toBe(200);
      expect(service.running).toMatchObject({ dashboard: 'none', dashboardOrigin: { source: 'command line' } });
      await service.stop();
    },
  );
});

it('the API is served without any dashboard directory', async () => {
  const service = await makeService({ env: disabledManagers });
  await rm(join(service.folder.path, 'bundled'), { recursive: true });
  await service.manager.start();
  const response = await sendRequest(service.port, '/');
  expect([response.status, response.body]).toEqual([404, expect.stringContaining('the bundled files are missing')]);
  expect((await sendRequest(service.port, '/health')).status).toBe(200);
  await service.stop();
});
