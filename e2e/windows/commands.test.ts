/** The commands of the program on Windows: their output and the files that they write. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendRequest } from '../support/rawRequest.ts';
import { pickFreePort, startLab, type FakeLab } from '../support/managers.ts';
import { endServicesAfterEach, runLabManager, startService, type RunningService } from './labManager.ts';
import { makeFolder, unixPath, writeFiles } from './wine.ts';

let lab: FakeLab;
let cwd = '';
beforeAll(async () => {
  lab = await startLab({ data: 'http-503' });
  cwd = makeFolder();
  writeFiles({ [`${cwd}\\settings.yaml`]: `lab_manager_name: Bench 4\r\n${lab.settings.replaceAll('\n', '\r\n')}` });
});
afterAll(() => lab.stop());
endServicesAfterEach();

const health = async ({ port }: RunningService) => (await sendRequest(port, '/lab_health')).body;

/** Runs a command about the service at a port. */
const command = (port: number, ...args: readonly string[]) =>
  runLabManager([...args, `--lab-listen-port=${port}`], { cwd });

it('--status prints the lab as the running service reports it', async () => {
  const service = await startService([], { cwd });
  await expect.poll(() => health(service)).toContain('5/6');
  const { code, out } = await command(service.port, '--status');
  expect(code, out).toBe(0);
  expect(out).toMatch(/^Bench 4: Degraded, 5\/6 managers are healthy\n/);
  expect(out).toMatch(/Data Manager +Unhealthy +http:\/\/127\.0\.0\.1:\d+\/ +HTTP 503/);
});

it('--status without a service exits with code 1', async () => {
  const { code, out } = await command(await pickFreePort(), '--status');
  expect(code, out).toBe(1);
  expect(out).toContain('No lab manager answers at');
});

it('--doctor reports the problem, and does not check permissions', async () => {
  const { code, out } = await command(await pickFreePort(), '--doctor');
  expect(code, out).toBe(1);
  expect(out).toMatch(/\nPROBLEM +The managers answer .*HTTP 503/);
  expect(out).toMatch(/Permissions of settings and state +Not checked on Windows/);
  expect(out).toContain('file:///C:/Program%20Files/Lab%20Manager/dist/help/');
});

it.each(['all.zip', 'C:\\labs\\all.zip'])(
  '--bundle %s saves one file without a claim about its permissions',
  async (file) => {
    const { code, out } = await command(await pickFreePort(), '--bundle', file);
    expect(code, out).toBe(0);
    const path = file.startsWith('C:') ? file : `${cwd}\\${file}`;
    expect(out).toContain(`Saved ${path}. The permissions of its folder decide who can open the file.`);
    const files = unzipSync(readFileSync(unixPath(path)));
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['README.txt', 'checks.txt', 'settings.json']));
    expect(Buffer.from(files['settings.json'] ?? []).toString()).toContain('Bench 4');
  },
);

it('--bundle into a missing folder exits with code 1 and reports the folder', async () => {
  const { code, out } = await command(await pickFreePort(), '--bundle', 'nowhere\\all.zip');
  expect(code).toBe(1);
  expect(out).toContain(`${cwd}\\nowhere\\all.zip: there is no such folder`);
});

it('--maintenance puts a manager into maintenance in the running service, and ends the maintenance', async () => {
  const service = await startService([], { cwd });
  await expect.poll(() => health(service)).toContain('5/6');
  const result = await command(service.port, '--maintenance', 'data', '--until', '2h');
  expect(result.code, result.out).toBe(0);
  expect(result.out).toMatch(/In maintenance now:\n +Data Manager +until \d{4}-\d\d-\d\d \d\d:\d\d\n/);
  const status = await command(service.port, '--status');
  expect(status.out).toMatch(/^Bench 4: Healthy, 5\/5 managers are healthy, 1 in maintenance\n/);
  const endCommand = await command(service.port, '--maintenance', 'data', '--until', 'now');
  expect(endCommand.code, endCommand.out).toBe(0);
  await expect.poll(async () => (await command(service.port, '--status')).out).toMatch(/^Bench 4: Degraded/);
});
