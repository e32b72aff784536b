/** The service on Windows: start, responses, changes of the settings, and end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labHealth } from '../../api/lab/lab.ts';
import { replaceFile } from '../../server/fixtures/replaceFile.ts';
import { sendRequest } from '../support/rawRequest.ts';
import { startLab, type FakeLab } from '../support/managers.ts';
import { endServicesAfterEach, runLabManager, startService } from './labManager.ts';
import { makeFolder, profile, unixPath, writeFiles } from './wine.ts';

let lab: FakeLab;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());
endServicesAfterEach();

/** Creates a lab's folder with the managers of the test in its settings. @returns its Windows path */
function makeLab(extraLines: readonly string[] = []): string {
  const folder = makeFolder();
  const lines = [...lab.settings.split('\n'), 'lab_manager_name: Bench 4', ...extraLines, ''];
  writeFiles({ [`${folder}\\settings.yaml`]: lines.join('\r\n') });
  return folder;
}

const json = async (port: number, path: string) =>
  JSON.parse((await sendRequest(port, path)).body) as Readonly<Record<string, unknown>>;

describe('the service', () => {
  it('serves the API, the dashboard, the user guide and the API documentation', async () => {
    const { port } = await startService([], { cwd: makeLab() });
    expect(await json(port, '/context')).toMatchObject({ event_server_url: lab.managers.event.url });
    await expect.poll(() => json(port, '/lab_health')).toMatchObject({ healthy: true, healthy_managers: 6 });
    labHealth.parse(await json(port, '/lab_health'));
    const page = await sendRequest(port, '/', { headers: { accept: 'text/html' } });
    expect(page.body).toContain('<div id="app">');
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? '';
    expect(await sendRequest(port, script)).toMatchObject({ status: 200, headers: { 'content-type': /javascript/ } });
    for (const path of ['/workcells/x', '/help/', '/help/troubleshooting.html', '/docs', '/docs/swagger-ui.css'])
      expect((await sendRequest(port, path, { headers: { accept: 'text/html' } })).status, path).toBe(200);
  });

  it('ends on Ctrl+C with code 0, and its port is free again', async () => {
    const cwd = makeLab();
    const service = await startService([], { cwd });
    service.interrupt();
    expect(await service.exitCode, service.output()).toBe(0);
    await expect.poll(() => service.output()).toContain('Stopping: SIGINT');
    await expect(sendRequest(service.port, '/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('exits with code 3 when the port is taken by another program', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out } = await runLabManager([`--lab-listen-port=${port}`], { cwd: makeLab() });
    server.close();
    expect(code, out).toBe(3);
    expect(out).toContain(`Port ${port} is already in use by another program`);
    expect(out).toContain('Help: file:///C:/Program%20Files/Lab%20Manager/dist/help/troubleshooting.html');
  });

  it('exits with code 3 when the port is taken by a lab manager', async () => {
    const cwd = makeLab();
    const { port } = await startService([], { cwd });
    const { code, out } = await runLabManager([`--lab-listen-port=${port}`], { cwd });
    expect(code, out).toBe(3);
    expect(out).toMatch(/lab manager/i);
    expect((await sendRequest(port, '/health')).status).toBe(200);
  });
});

describe('settings that change while the service runs', () => {
  const writers = [
    ['is written in place', (path: string, text: string) => Promise.resolve(writeFileSync(path, text))],
    ['is replaced by a new file', replaceFile],
  ] as const;

  it.each(writers)('apply when the file %s', async (_name, write) => {
    const cwd = makeLab();
    const { port } = await startService([], { cwd });
    const path = unixPath(`${cwd}\\settings.yaml`);
    const text = readFileSync(path, 'utf8').replace(/^data_server_url: .*$/m, 'data_server_url: http://moved:9004/');
    await write(path, text);
    await expect.poll(() => json(port, '/context')).toMatchObject({ data_server_url: 'http://moved:9004/' });
  });

  it('apply when a file appears in a folder above', async () => {
    const parentFolder = makeFolder();
    const cwd = `${parentFolder}\\bench`;
    writeFiles({ [`${cwd}\\notes.txt`]: '' });
    const { port } = await startService([], { cwd });
    writeFiles({ [`${parentFolder}\\.env`]: 'LOCATION_SERVER_URL=http://moved:9006\r\n' });
    await expect.poll(() => json(port, '/context')).toMatchObject({ location_server_url: 'http://moved:9006/' });
  });

  it('stay as they were while the file has an error, which the log reports by line', async () => {
    const cwd = makeLab();
    const service = await startService([], { cwd });
    const contextBefore = await json(service.port, '/context');
    const path = unixPath(`${cwd}\\settings.yaml`);
    writeFileSync(path, 'event_server_url: nonsense\r\n');
    await expect.poll(() => service.output()).toContain(`${cwd}\\settings.yaml:1`);
    expect(await json(service.port, '/context')).toEqual(contextBefore);
  });
});

it('the demo lab runs six healthy managers, which end with it', async () => {
  const service = await startService(['--demo'], { cwd: makeFolder() });
  await expect.poll(() => service.output()).toContain('Demo lab at http://127.0.0.1:');
  const { port } = service;
  await expect.poll(() => json(port, '/lab_health')).toMatchObject({ healthy: true, total_managers: 6 });
  const { event_server_url: address } = await json(port, '/context');
  expect((await fetch(`${String(address)}health`)).status).toBe(200);
  service.interrupt();
  expect(await service.exitCode, service.output()).toBe(0);
  await expect(fetch(`${String(address)}health`)).rejects.toThrow('fetch failed');
});

it('the log is in .madsci of the profile', async () => {
  const service = await startService([], { cwd: makeLab() });
  await expect.poll(() => service.output()).toContain(`(log: ${profile}\\.madsci\\logs\\lab-manager.log)`);
});
