/** Tests a malicious manager over real sockets: the others' results are unaffected, and its report is limited in size. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useAdvancingClock } from '../../api/fixtures/manualClock.ts';
import { hostileJson } from '../../api/fixtures/hostileNumbers.ts';
import { labHistory, type LabHistory } from '../../api/lab/lab.ts';
import { printStatus } from '../commandLine/cliStatus.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { requestHealth, setUpPausedLabs } from '../../e2e/support/pausedLab.ts';
import type { TestService } from '../../e2e/support/service.ts';

const { start, onEnd } = setUpPausedLabs();

/** Starts a lab whose event manager responds with `body()`. */
async function startLabWith(body: () => string | Buffer, status = 200): Promise<TestService> {
  const server = http.createServer((_request, response) =>
    response.writeHead(status, { location: '/\x9b31m' }).end(body()),
  );
  onEnd(() => void server.close(() => undefined).closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { service } = await start({}, (lab) => {
    const others = lab.settings.split('\n').filter((line) => !line.startsWith('event_'));
    return [...others, `event_server_url: http://127.0.0.1:${port}/`, 'lab_watch_interval: 3600', ''].join('\n');
  });
  return service;
}

async function readHistory(service: TestService): Promise<LabHistory> {
  const response = await sendRequest(service.port, '/lab_health/history');
  expect(response.status).toBe(200);
  return labHistory.parse(JSON.parse(response.body));
}

it('all digits of a manager’s numbers are in the responses of the lab', async () => {
  const counts = hostileJson.slice(0, hostileJson.indexOf(',"nested"'));
  const service = await startLabWith(() => `{"healthy":true,"version":"0.8.1","counts":${counts}}}`);
  for (const path of ['/lab_health', '/lab_health/history'])
    expect((await sendRequest(service.port, path)).body).toContain(`"counts":${counts}}`);
});

const controlCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

describe('a manager with a hostile health object', () => {
  it.each([
    [
      'is nested 20,000 deep',
      `{"healthy":true,"version":"0.8.1","db_connected":true,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ],
    [
      'has nested objects',
      `{"healthy":true,"version":"0.8.1","db_connected":true,"x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    ],
    [
      'has 5,000 members',
      `{${Array.from({ length: 5000 }, (_, i) => `"m${i}":${i}`).join()},"healthy":true,"version":"0.8.1","db_connected":true}`,
    ],
  ])('is shown with its state like the five others when the object %s', async (_name, body) => {
    useAdvancingClock(Date.now(), 1);
    const service = await startLabWith(() => body);
    const health = await requestHealth(service);
    expect(health).toMatchObject({ healthy: true, healthy_managers: 6 });
    expect(health.managers['event_manager']).toMatchObject({ healthy: true, version: '0.8.1' });
    expect(health.managers['data_manager']).toMatchObject({ healthy: true, db_connected: true });
    expect((await readHistory(service)).managers.map(({ state }) => state)).toEqual(Array(6).fill('healthy'));
    expect(JSON.stringify(health).length).toBeLessThan(40_000);
    expect(service.manager.status.phase).toBe('running');
  });

  it('counts as a manager without health object when the object is not UTF-8', async () => {
    const service = await startLabWith(() => Buffer.from('{"healthy":true,"description":"\xff"}', 'latin1'));
    const { managers } = await requestHealth(service);
    expect(managers['event_manager']).toEqual({
      healthy: false,
      description: 'answered with something that is not a health object: {"healthy":true,"description":"\ufffd"}',
    });
  });

  it('has a reason of 60 KB truncated to 500 characters', async () => {
    let turn = 0;
    const service = await startLabWith(() =>
      JSON.stringify({ healthy: (turn += 1) % 2 === 0, description: 'x'.repeat(60_000) }),
    );
    for (let i = 0; i < 4; i += 1) await requestHealth(service);
    const [event] = (await readHistory(service)).managers;
    expect(event?.changes.length).toBeGreaterThan(2);
    const reasons = event?.changes.flatMap(({ state, reason }) => (state === 'unhealthy' ? (reason ?? []) : [])) ?? [];
    expect(reasons.length).toBeGreaterThan(1);
    for (const reason of reasons) expect(reason).toBe(`${'x'.repeat(499)}…`);
    expect(event?.health?.description).toHaveLength(500);
  });
});

describe('terminal sequences', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u0085\u202eyes\u007f';

  it.each([
    ['a description', () => JSON.stringify({ healthy: false, description: evil, version: evil }), 200],
    ['an invalid body', () => `<html>${evil}`, 200],
    ['a redirect', () => '', 307],
  ])('in %s never reach --status, the history or the log', async (_name, body, status) => {
    const service = await startLabWith(body, status);
    await requestHealth(service);
    const lines: string[] = [];
    await printStatus(service.url, null, (line) => lines.push(line));
    expect(lines.find((line) => line.includes('Event Manager'))).toContain('Unhealthy');
    for (const line of [...lines, ...service.log]) expect(line).not.toMatch(controlCharacters);
    const { body: text } = await sendRequest(service.port, '/lab_health/history');
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string') expect(value).not.toMatch(controlCharacters);
      return value;
    });
  });
});
