/** Responses of the endpoints, with real settings from real files. */
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { labContext, labHistory } from '../../api/lab/lab.ts';
import { settingsResponse } from '../../api/lab/settings.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { findOutsideAddress, startService, type ServiceOptions, type TestService } from '../../e2e/support/service.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import { docsPolicy } from '../http/headers.ts';
import type { SettingsInputs } from '../settings/schema/types.ts';

let service: TestService;
afterEach(() => service.stop());

async function start(options: ServiceOptions = {}): Promise<void> {
  service = await startService(options);
}

const readBody = async (path: string): Promise<unknown> => JSON.parse((await sendRequest(service.port, path)).body);

describe('/health', () => {
  it('identifies this service', async () => {
    await start();
    expect(await readBody('/health')).toEqual({
      healthy: true,
      description: 'Lab Manager is running',
      version: '9.8.7',
    });
  });
});

describe('/context', () => {
  it('contains the default addresses when there are no settings', async () => {
    await start();
    expect(Object.entries(labContext.parse(await readBody('/context')))).toEqual([
      ['lab_server_url', 'http://localhost:8000/'],
      ['event_server_url', 'http://localhost:8001/'],
      ['experiment_server_url', 'http://localhost:8002/'],
      ['resource_server_url', 'http://localhost:8003/'],
      ['data_server_url', 'http://localhost:8004/'],
      ['workcell_server_url', 'http://localhost:8005/'],
      ['location_server_url', 'http://localhost:8006/'],
    ]);
  });

  it('contains the normalized settings, and null for a disabled manager', async () => {
    await start({
      files: {
        'settings.yaml': 'event_server_url: HTTP://Lab-PC:8001\nresource_server_url: https://lab-pc:443/base\n',
        'lab.env': 'DATA_SERVER_URL=None\nLAB_SERVER_URL=http://lab-pc\n',
      },
      env: { WORKCELL_SERVER_URL: '', LOCATION_SERVER_URL: 'null' },
    });
    expect(await readBody('/context')).toEqual({
      lab_server_url: 'http://lab-pc/',
      event_server_url: 'http://lab-pc:8001/',
      experiment_server_url: 'http://localhost:8002/',
      resource_server_url: 'https://lab-pc/base',
      data_server_url: null,
      workcell_server_url: null,
      location_server_url: null,
    });
  });

  const outside = findOutsideAddress();

  it.runIf(outside)('replaces loopback by LAB_ADVERTISED_HOST for other machines only', async () => {
    const host = outside ?? '';
    const readEventAddress = async (from: string, headers = {}) => {
      const response = await sendRequest(service.port, '/context', { host: from, headers });
      return labContext.parse(JSON.parse(response.body)).event_server_url;
    };
    await start({ env: { LAB_ADVERTISED_HOST: 'auto' } });
    expect(await readEventAddress(host)).toBe(`http://${host}:8001/`);
    // Host names in the headers of the request have no effect.
    expect(await readEventAddress(host, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })).toBe(
      `http://${host}:8001/`,
    );
    expect(await readEventAddress('127.0.0.1')).toBe('http://localhost:8001/');
    await service.stop();
    await start({ env: { LAB_ADVERTISED_HOST: 'bench-4' } });
    expect(await readEventAddress(host)).toBe('http://bench-4:8001/');
    await service.stop();
    await start();
    expect(await readEventAddress(host)).toBe('http://localhost:8001/');
  });

  describe('of an app without settings of a lab', () => {
    const paths = ['/context', '/lab_health', '/lab_health/history', '/summary', '/settings'];
    // A request of another machine is one that a trusted proxy forwards.
    const env = { LAB_TRUSTED_PROXY: '["127.0.0.1"]', LAB_LISTEN_PORT: '8123', LAB_LOG_LEVEL: 'INFO' };
    const readAsOther = (path: string) =>
      sendRequest(service.port, path, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    const createFolder = async (files: Readonly<Record<string, string>> = {}) => {
      const folder = await makeTempFolder(files);
      // After the service, which still writes to it.
      onTestFinished(() => folder.remove());
      return folder;
    };
    const startWith = (folder: TempFolder, changes: Partial<SettingsInputs>) =>
      start({ managerOptions: { inputs: folder.inputs({ env, ...changes }), listen: { host: null, port: 0 } } });

    it('is available on this machine only', async () => {
      const folder = await createFolder({ 'home/lab/settings.yaml': 'lab_listen_host: 127.0.0.1\n' });
      await startWith(folder, { commandLine: 'desktop' });
      for (const path of paths) {
        expect((await sendRequest(service.port, path)).status).toBe(200);
        const refusal = await readAsOther(path);
        expect(refusal.status, path).toBe(503);
        expect(JSON.parse(refusal.body)).toEqual({ detail: expect.stringContaining('Choose a lab in the app') });
      }
      expect((await readAsOther('/health')).status).toBe(200);

      await folder.write({ 'home/lab/settings.yaml': 'event_server_url: http://lab-pc:8001/\n' });
      await service.waitForStatus((status) => status.phase === 'running' && status.configured);
      for (const path of paths) expect((await readAsOther(path)).status).toBe(200);
    });

    it.runIf(outside)('is available to programs on this machine that use the address of an interface', async () => {
      const folder = await createFolder();
      await startWith(folder, { commandLine: 'desktop' });
      expect((await sendRequest(service.port, '/context', { host: outside ?? '' })).status).toBe(200);
    });

    it('is available to all machines if the service has no window', async () => {
      const folder = await createFolder();
      await startWith(folder, { commandLine: 'headless' });
      for (const path of paths) expect((await readAsOther(path)).status).toBe(200);
    });
  });

  if (outside === null)
    console.log('This machine has only loopback addresses: the tests of other machines are skipped');
});

describe('/lab_health/history', () => {
  it('names the account of the service only to programs on its machine, not to pages', async () => {
    const read = async (headers: Readonly<Record<string, string>>) =>
      labHistory.parse(JSON.parse((await sendRequest(service.port, '/lab_health/history', { headers })).body)).owner;
    await start();
    expect(await read({})).toMatchObject({ settings_file: expect.any(String) });
    for (const headers of [{ origin: 'https://site.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect(await read(headers)).toBeUndefined();
  });

  it('lists the managers whose addresses no source sets, in a lab that sets others', async () => {
    await start({ files: { 'settings.yaml': 'event_server_url: http://lab-pc:8001\nlocation_server_url: None\n' } });
    const unset = ['experiment', 'resource', 'data', 'workcell'];
    expect(new Set(labHistory.parse(await readBody('/lab_health/history')).unset_addresses)).toEqual(new Set(unset));
  });
});

describe('/settings', () => {
  const files = { 'settings.yaml': '# a comment\nlab_manager_name: Bench 4\nevent_server_url: http://lab-pc:8001/\n' };

  it('contains values and their origins by file name and line, never a whole path', async () => {
    await start({ files, env: { LAB_LOG_LEVEL: 'debug' }, argv: ['--lab-dashboard-files-path=/nowhere/at/all'] });
    const text = (await sendRequest(service.port, '/settings')).body;
    const { settings, sources } = settingsResponse.parse(JSON.parse(text));
    expect(settings).toMatchObject({ manager_name: 'Bench 4', log_level: 'DEBUG', listen_port: 0 });
    expect(sources).toMatchObject({
      manager_name: { source: 'yaml', name: 'lab_manager_name', file: 'settings.yaml', line: 2 },
      event_server_url: { source: 'yaml', file: 'settings.yaml', line: 3 },
      log_level: { source: 'environment', name: 'LAB_LOG_LEVEL', file: null, line: null },
      server_url: { source: 'default', name: null },
      manager_id: { source: 'generated' },
      dashboard_files_path: { source: 'command line' },
    });
    expect(Object.keys(sources)).toEqual(Object.keys(settings));
    expect(text).not.toContain(service.folder.path);
    expect(settings['dashboard_files_path']).toBe('all');
    expect(text).not.toContain('/nowhere');
  });

  it('omits the defaults or includes the schema according to its parameters', async () => {
    await start({ files, env: { LAB_LISTEN_PORT: '0' } });
    const set = settingsResponse.parse(await readBody('/settings?include_defaults=false'));
    expect(Object.keys(set.settings).toSorted()).toEqual([
      'event_server_url',
      'listen_port',
      'manager_id',
      'manager_name',
      'mdns',
    ]);
    expect(set).not.toHaveProperty('schema');
    const whole = settingsResponse.parse(await readBody('/settings?include_schema=1&include_defaults=yes'));
    expect(whole.schema_title).toBe('LabManagerSettings');
    expect(Object.keys(whole.schema?.['properties'] ?? {})).toEqual(Object.keys(whole.settings));
  });

  it('rejects an invalid boolean and names the parameter', async () => {
    await start();
    const response = await sendRequest(service.port, '/settings?include_defaults=maybe&include_schema=2');
    expect(response.status).toBe(422);
    expect(JSON.parse(response.body)).toEqual({
      detail: [
        expect.objectContaining({ type: 'bool_parsing', loc: ['query', 'include_defaults'], input: 'maybe' }),
        expect.objectContaining({ type: 'bool_parsing', loc: ['query', 'include_schema'], input: '2' }),
      ],
    });
  });

  it('contains no password of a rejected value and keeps the previous value', async () => {
    await start({ files });
    await service.write({ 'lab.settings.yaml': 'event_server_url: http://me:hunter2@lab-pc:8001/\n' });
    const status = await service.waitForStatus(
      (candidate) => candidate.phase === 'running' && candidate.problems.length > 0,
    );
    expect(JSON.stringify(status)).not.toContain('hunter2');
    const text = (await sendRequest(service.port, '/settings')).body;
    expect(text).not.toContain('hunter2');
    expect(settingsResponse.parse(JSON.parse(text)).settings['event_server_url']).toBe('http://lab-pc:8001/');
  });
});

describe('/openapi.json and /docs', () => {
  it('contain the name of the lab and a relative address', async () => {
    await start({ files: { 'settings.yaml': 'lab_manager_name: Bench 4\nlab_manager_description: Liquids\n' } });
    expect(await readBody('/openapi.json')).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Bench 4', description: 'Liquids', version: '9.8.7' },
      servers: [{ url: './' }],
    });
  });

  it('serve Swagger UI from local files with the right types and their own policy', async () => {
    await start();
    const page = await sendRequest(service.port, '/docs');
    expect(page.headers['content-security-policy']).toBe(docsPolicy);
    const links = [...page.body.matchAll(/(?:href|src)=["']([^"']+)["']/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThanOrEqual(4);
    for (const link of links) {
      expect(link).toMatch(/^\.\/docs\//);
      const asset = await sendRequest(service.port, link.slice(1));
      expect([link, asset.status]).toEqual([link, 200]);
      const type = { css: 'text/css', js: 'javascript', png: 'image/png' }[link.split('.').at(-1) ?? ''] ?? 'nothing';
      expect(asset.headers['content-type']).toContain(type);
      expect(asset.headers['content-security-policy']).toBe(docsPolicy);
    }
    // No inline script in the page: the policy would forbid it.
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)/);
    const init = await sendRequest(service.port, '/docs/swagger-ui-init.js');
    expect(init.body).toContain('"swaggerUrl": "./openapi.json"');
    expect(init.body).toContain('"validatorUrl": null');
  });

  it.each([
    '/docs/package.json',
    '/docs/.npmignore',
    '/docs/../package.json',
    '/docs/nothing.js',
    '/docs/%2e%2e/index.js',
  ])('do not include %s', async (path) => {
    await start({ dashboard: 'built' });
    expect((await sendRequest(service.port, path)).status).toBe(404);
  });
});
