/** State files, history, log and notifications on Windows, also while other programs have the files open. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startLab, type FakeLab } from '../support/managers.ts';
import { sendRequest } from '../support/rawRequest.ts';
import { endServicesAfterEach, runLabManager, startService, type RunningService } from './labManager.ts';
import { makeFolder, profile, startNode, unixPath, waitForOutput, writeFiles, type WindowsProgram } from './wine.ts';

const state = `${profile}\\AppData\\Local\\Lab Manager`;
const logs = `${profile}\\.madsci\\logs`;
/** The flag with which Node on Windows opens a file that no other program may open (`UV_FS_O_EXLOCK` of libuv). */
const exclusiveFlag = 0x10000000;

let lab: FakeLab;
let cwd = '';
const others: WindowsProgram[] = [];
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.stop());
afterEach(async () => {
  for (const program of others.splice(0)) {
    program.kill();
    await program.exitCode;
  }
});
endServicesAfterEach();

/** Starts the service in a separate lab. */
async function startTestService(extraLines: readonly string[] = []): Promise<RunningService> {
  cwd = makeFolder();
  writeFiles({ [`${cwd}\\settings.yaml`]: [...lab.settings.split('\n'), ...extraLines, ''].join('\r\n') });
  return startService([], { cwd });
}

/**
 * Opens the file in another Windows program.
 * @param flags besides those for reading and writing
 * @param closing JavaScript that makes the program call `close` later
 */
async function openInOtherProgram(path: string, flags: number, closing: string): Promise<void> {
  const code = `
    const fs = require('node:fs');
    const path = process.argv[1];
    fs.openSync(path, fs.constants.O_RDWR | ${flags});
    const close = () => process.exit();
    ${closing}
    console.log('open');
  `;
  const program = startNode(['-e', code, path]);
  others.push(program);
  await waitForOutput(program, /^open$/m);
}

const closeAfterOneSecond = 'setTimeout(close, 1000);';
const closeAfterHalfAMinute = 'setTimeout(close, 30_000);';
/** Closes the file 300 ms after the temporary file of its replacement appears. */
const closeDuringReplacement = `
  const isBeingReplaced = () => fs.readdirSync(path.replace(/[^\\\\]+$/, '')).some((name) => name.endsWith('.new'));
  const timer = setInterval(() => {
    if (!isBeingReplaced()) return;
    clearInterval(timer);
    setTimeout(close, 300);
  }, 10);
`;

const setMaintenance = ({ port }: RunningService, until = '2h') =>
  runLabManager(['--maintenance', 'data', '--until', until, `--lab-listen-port=${port}`], { cwd });
const maintenanceFile = ({ port }: RunningService) => `${state}\\maintenance-${port}.json`;
const read = (path: string) => readFileSync(unixPath(path), 'utf8');

describe('a state file', () => {
  it.each([
    ['exclusively', exclusiveFlag, closeAfterOneSecond],
    ['with shared access', 0, closeDuringReplacement],
  ])('is replaced although another program has it open for a moment, %s', async (_name, flags, closing) => {
    const service = await startTestService();
    expect((await setMaintenance(service)).code).toBe(0);
    const contentBefore = read(maintenanceFile(service));
    await openInOtherProgram(maintenanceFile(service), flags, closing);
    const { code, out } = await setMaintenance(service, '3h');
    expect(code, `output: ${out}`).toBe(0);
    expect(out).toContain('has applied the change');
    expect(read(maintenanceFile(service))).not.toBe(contentBefore);
    expect(service.output()).not.toMatch(/\[(warn|error)\].*maintenance/);
  });

  it('stays whole while another program keeps it open, and the message does not advise removing it', async () => {
    const service = await startTestService();
    expect((await setMaintenance(service)).code).toBe(0);
    const contentBefore = read(maintenanceFile(service));
    await openInOtherProgram(maintenanceFile(service), exclusiveFlag, closeAfterHalfAMinute);
    const { code, out } = await setMaintenance(service, '3h');
    expect(code).toBe(1);
    expect(out).toContain('another program has it open');
    expect(out).not.toMatch(/remove/i);
    expect(read(maintenanceFile(service))).toBe(contentBefore);
    expect(readdirSync(unixPath(state)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});

it('a list of crashes that another program keeps open is reported by --doctor without advice to move it', async () => {
  const crashes = `${logs}\\crashes.json`;
  writeFiles({ [crashes]: '[]' });
  await openInOtherProgram(crashes, exclusiveFlag, closeAfterHalfAMinute);
  const { out } = await runLabManager(['--doctor'], { cwd: makeFolder() });
  expect(out).toContain(`${crashes} can’t be read: another program has it open`);
  expect(out).toContain('Close that program, then check again.');
  expect(out).not.toMatch(/aside|remove it/i);
});

describe('the history', () => {
  it('is in %LOCALAPPDATA%, and has the end of the run when the service ends on Ctrl+C', async () => {
    const service = await startTestService();
    const path = `${state}\\history-${service.port}.jsonl`;
    await expect.poll(() => existsSync(unixPath(path)) && read(path)).toContain('"start"');
    service.interrupt();
    expect(await service.exitCode).toBe(0);
    const kinds = read(path)
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(['start', 'stop']);
  });

  it('survives a kill: the next start keeps every record', async () => {
    const service = await startTestService();
    const path = `${state}\\history-${service.port}.jsonl`;
    await expect.poll(() => existsSync(unixPath(path)) && read(path)).toContain('"manager"');
    service.kill();
    await service.exitCode;
    const contentBefore = read(path);
    const restarted = await startService([`--lab-listen-port=${service.port}`], { cwd });
    expect(read(path).startsWith(contentBefore)).toBe(true);
    expect(restarted.output()).not.toMatch(/history can't/i);
  });
});

describe('the log', () => {
  const log = `${logs}\\lab-manager.log`;
  const rotatedLog = `${logs}\\lab-manager.1.log`;
  const fullLog = `${'x'.repeat(99)}\n`.repeat(53_000);

  it.each([
    ['is rotated beyond 5 MB', false],
    ['is rotated beyond 5 MB although another program has it open', true],
  ])('%s', async (_name, isOpen) => {
    writeFiles({ [log]: fullLog });
    rmSync(unixPath(rotatedLog), { force: true });
    if (isOpen) await openInOtherProgram(log, 0, closeAfterHalfAMinute);
    await startTestService();
    await expect
      .poll(() => existsSync(unixPath(rotatedLog)) && statSync(unixPath(rotatedLog)).size)
      .toBeGreaterThan(5_000_000);
    expect(statSync(unixPath(log)).size).toBeLessThan(100_000);
  });

  it('does not prevent the start of the service while another program has it open exclusively', async () => {
    writeFiles({ [log]: 'earlier\n' });
    await openInOtherProgram(log, exclusiveFlag, closeAfterHalfAMinute);
    const service = await startTestService();
    await expect.poll(() => service.output()).toContain('The lab is healthy');
    expect(read(log)).toBe('earlier\n');
  });
});

describe('notifications', () => {
  let receiver: Server;
  const receivedMessages: Record<string, unknown>[] = [];
  let address = '';
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        receivedMessages.push(JSON.parse(body) as Record<string, unknown>);
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => void receiver.close());

  it('of a manager that stays down reach the webhook, and are on the disk in %LOCALAPPDATA%', async () => {
    const service = await startTestService([`notify_webhook_url: ${address}`, 'watch_interval: 1']);
    await expect.poll(async () => (await sendRequest(service.port, '/lab_health')).body).toContain('6/6');
    await lab.managers.data.stop();
    try {
      await expect.poll(() => JSON.stringify(receivedMessages)).toContain('Data Manager');
    } finally {
      await lab.managers.data.start();
    }
    expect(existsSync(unixPath(`${state}\\notifications-${service.port}.json`))).toBe(true);
  });

  it('include the test message of --notify-test', async () => {
    const folder = makeFolder();
    writeFiles({ [`${folder}\\settings.yaml`]: `lab_notify_webhook_url: ${address}\r\n` });
    const count = receivedMessages.length;
    const { code, out } = await runLabManager(['--notify-test'], { cwd: folder });
    expect(code, out).toBe(0);
    expect(receivedMessages).toHaveLength(count + 1);
  });
});
