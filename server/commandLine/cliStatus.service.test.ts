import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { labHistory } from '../../api/lab/lab.ts';
import { labStatus } from '../../electron/fixtures/states.ts';
import { printStatus } from './cliStatus.ts';

let server: http.Server | null = null;
afterEach(() => server?.close());

it('printStatus prints a safety stop with its unconfirmed nodes after the first line, and counts what needs a person without one', async () => {
  const node = { workcell: 'http://lab:8005/', did: [], before: [] };
  const since = new Date(2026, 0, 15, 13, 1).toISOString();
  const arm = { name: 'arm', state: 'locked', flags: ['busy'], reason: null, since, waiting: 1 };
  const status = labStatus('healthy');
  let lab = labHistory.parse({
    ...status,
    managers: status.managers.map((manager) => ({ ...manager, changes: [] })),
    service: { name: 'lab-manager', version: '1', started: since },
    window_seconds: 7200,
    activity: {
      nodes: { total: 3, in_need: [arm, { ...arm, name: 'mover' }] },
      ended_workflows: [],
    },
    safety_stop: {
      id: null,
      at: since,
      machine: 'lab-pc',
      application: 'dashboard',
      nodes: [
        { ...node, name: 'arm', result: 'confirmed', reason: '' },
        { ...node, name: 'mover', result: 'refused', reason: 'the door is open' },
      ],
    },
  });
  server = http.createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(lab)),
  );
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await printStatus(url, null, (line) => lines.push(line));
  expect(lines[0]).toMatch(/: Stopped, 6\/6 managers/);
  const { safety_stop: _stop, ...withoutStop } = lab;
  lab = withoutStop;
  const later: string[] = [];
  await printStatus(url, null, (line) => later.push(line));
  expect(later[0]).toMatch(/: 2 need you, 6\/6 managers/);
  expect(lines[1]).toBe('Safety stop at 2026-01-15 13:01 by lab-pc: 1 of 2 nodes not confirmed: mover.');
  expect(lines[2]).toMatch(/^ {2}mover +Not stopped +Refused: the door is open\..* Now: Locked, busy\.$/);
  expect(lines.filter((line) => line.includes('mover'))).toHaveLength(2);
  expect(lines.find((line) => line.startsWith('  arm'))).toMatch(/Locked, busy +since/);
});
