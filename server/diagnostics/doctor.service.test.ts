/** Tests the doctor on labs with faulty managers or settings, with and without a running lab manager. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { useAdvancingClock } from '../../api/fixtures/manualClock.ts';
import { guideEntries } from '../../api/guide.ts';
import { clock } from '../../api/time/clock.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { startService, type TestService } from '../../e2e/support/service.ts';
import { runDoctor } from '../commandLine/cliDoctor.ts';
import { readServedSettings } from '../attached/labManagerReader.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import type { Check, CheckContext } from './checks/check.ts';
import { runChecks } from './checks/all.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

/** Starts a manager that responds to requests with `response`. @returns its address */
async function manager(response: http.RequestListener): Promise<string> {
  const server = http.createServer(response);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const openCors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
const healthyManager =
  (version: string, headers: Readonly<Record<string, string>> = openCors): http.RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(JSON.stringify({ healthy: true, description: 'x', version }));

/**
 * A manager whose clock is exactly one hour behind. The header has whole seconds, so it delays a response near a second's
 * boundary to avoid rounding to the next.
 */
const anHourBehind: http.RequestListener = (request, response) => {
  const part = clock.now() % 1000;
  const wait = part >= 200 && part < 800 ? 0 : (1700 - part) % 1000;
  clock.setTimeout(() => {
    const date = new Date(clock.now() - 3_600_000).toUTCString();
    healthyManager('0.8.1', { ...openCors, date })(request, response);
  }, wait);
};

interface Printed {
  readonly service: { readonly kind: string };
  readonly checks: readonly {
    readonly id: string;
    readonly result: string;
    readonly what: string;
    readonly tookMs: number;
  }[];
}

async function doctor(
  settings: string,
  port: number,
): Promise<{ code: number; printed: Printed; result: (id: string) => string }> {
  const folder = await makeTempFolder({ 'home/lab/settings.yaml': settings });
  cleanups.push(() => folder.remove());
  const texts: string[] = [];
  const inputs = folder.inputs({ env: { LAB_LISTEN_PORT: String(port) } });
  const code = await runDoctor(inputs, { asJson: true, guideFolder: '/guide' }, (text) => void texts.push(text));
  const printed = JSON.parse(texts.join('')) as Printed;
  return { code, printed, result: (id) => printed.checks.find((check) => check.id === id)?.result ?? 'not there' };
}

const settingsFor = (urls: readonly string[]): string =>
  ['event', 'experiment', 'resource', 'data', 'workcell', 'location']
    .map((key, index) => `${key}_server_url: ${urls[index] ?? 'None'}`)
    .join('\n');

it('the doctor finds the problem of each of several managers without a running lab manager', async () => {
  useAdvancingClock();
  const urls = await Promise.all([
    manager(healthyManager('0.8.1')),
    manager(() => undefined),
    manager(healthyManager('0.8.1', {})),
    manager(anHourBehind),
    manager(healthyManager('0.7.1')),
    manager((_request, response) => void response.writeHead(200, openCors).end('x'.repeat(1_000_000))),
  ]);
  const { code, printed, result } = await doctor(settingsFor(urls), await pickFreePort());
  expect(code).toBe(1);
  expect(printed.service.kind).toBe('none');
  expect(result('settings')).toBe('ok');
  expect(result('reachable')).toBe('unknown');
  expect(result('past-hours')).toBe('unknown');
  expect(result('identity')).toBe('unknown');
  expect(result('answers')).toBe('problem');
  expect(result('versions')).toBe('warning');
  expect(result('clocks')).toBe('problem');
  expect(result('cors')).toBe('problem');
  const textOfCheck = (id: string) => printed.checks.find((check) => check.id === id)?.what ?? '';
  expect(textOfCheck('clocks')).toMatch(
    /Data Manager’s clock is (?:59 min 59 s|60 min [01] s) behind.*Not known: Experiment Manager/,
  );
  expect(textOfCheck('cors')).toMatch(
    /can’t read the answers of: Resource Manager\..*there was no response: Experiment Manager/,
  );
  expect(Math.max(...printed.checks.map(({ tookMs }) => tookMs))).toBeLessThan(9000);
});

it('the doctor uses data of the running lab manager and distinguishes it from another program on the port', async () => {
  const settings = settingsFor([await manager(healthyManager('0.8.1'))]);
  const service: TestService = await startService({ files: { 'settings.yaml': settings } });
  cleanups.push(() => service.stop());
  // The service claims its ID in the background; on Windows it cannot lock the registry.
  const isSettled = process.platform !== 'win32';
  const settled = async () => (await readServedSettings(`http://127.0.0.1:${service.port}/`))?.identity?.settled;
  await vi.waitFor(async () => expect(await settled()).toBe(isSettled));
  const { printed, result } = await doctor(settings, service.port);
  expect(printed.service.kind).toBe('running');
  expect([result('answers'), result('versions'), result('cors'), result('clocks')]).toEqual(['ok', 'ok', 'ok', 'ok']);
  if (isSettled) expect(result('identity')).toBe('ok');
  const otherProgram = new URL(await manager((_request, response) => void response.writeHead(404).end()));
  expect((await doctor(settings, Number(otherProgram.port))).printed.service.kind).toBe('other');
});

it('the doctor reports errors of the settings and skips dependent checks', async () => {
  const { code, result } = await doctor('event_server_url: nonsense\n', await pickFreePort());
  expect(code).toBe(1);
  expect([result('settings'), result('cors'), result('reachable')]).toEqual(['problem', 'unknown', 'unknown']);
  expect(['ok', 'warning']).toContain(result('runtime'));
});

it('the doctor limits the time of each check and reports those that throw or reject', async () => {
  const check = (id: string, run: Check['run']): Check => ({ id, title: id, guide: guideEntries.checks, why: '', run });
  const hangs = check('hangs', () => new Promise(() => undefined));
  const throws = check('throws', () => {
    throw new Error('no \u001b[31mway');
  });
  const rejects = check('rejects', () => Promise.reject(new Error('not today')));
  const reports = await runChecks([hangs, throws, rejects], {} as CheckContext, { each: 100, all: 5000 });
  expect(reports.map(({ result, what }) => [result, what])).toEqual([
    ['unknown', 'It was not done after 0 s.'],
    ['unknown', 'It failed: no way.'],
    ['unknown', 'It failed: not today.'],
  ]);
});
