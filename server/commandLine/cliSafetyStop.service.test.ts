/** `--safety-stop`, by the running service and without it; and all outputs of the service during one stop. */
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { useManualClock } from '../../api/fixtures/manualClock.ts';
import { createTrayModel } from '../../electron/tray/trayModel.ts';
import { runningStatus } from '../../electron/fixtures/states.ts';
import { labHistory } from '../../api/lab/lab.ts';
import { stopResponse } from '../../api/lab/safetyStopApi.ts';
import { describeStop } from '../../api/safetyStop/labStop.ts';
import { pickFreePort } from '../../e2e/support/managers.ts';
import { sendRequest } from '../../e2e/support/rawRequest.ts';
import { makeService, type TestService } from '../../e2e/support/service.ts';
import { StopLab, type NodeKind } from '../fixtures/stopLab.ts';
import { loadSettings } from '../settings/load/load.ts';
import { exitCodes } from '../status.ts';
import { runSafetyStop } from './cliSafetyStop.ts';
import { printStatus } from './cliStatus.ts';

async function start(nodes: Readonly<Record<string, NodeKind>>) {
  const lab = await StopLab.start({ nodes });
  onTestFinished(() => lab.stop());
  const port = await pickFreePort();
  const env = { LAB_LISTEN_PORT: String(port), WORKCELL_SERVER_URL: lab.workcell, LAB_METRICS: 'true' };
  const service = await makeService({ env });
  onTestFinished(() => service.stop());
  await service.manager.start();
  const read = async (path: string) => (await sendRequest(port, path)).body;
  const readStop = async () => stopResponse.parse(JSON.parse(await read('/safety_stop')));
  await expect.poll(async () => (await readStop()).known_nodes).toBe(lab.nodes.size);
  const inputs = service.folder.inputs({ env });
  return { lab, port, service, inputs, read, readStop };
}

async function run({ inputs }: { readonly inputs: ReturnType<TestService['folder']['inputs']> }) {
  const loaded = await loadSettings(inputs);
  if (!loaded.ok) throw new Error('The settings of the test are invalid');
  const lines: string[] = [];
  const code = await runSafetyStop({ inputs, settings: loaded.settings }, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

it('--safety-stop is executed by the service, and prints the result of each node', async () => {
  const { lab, readStop, ...started } = await start({ arm: 'stopper' });
  // Time stands until the node has confirmed, so that a slow machine sends it by the direct way only.
  const clock = useManualClock(Date.now());
  const running = run(started);
  await expect.poll(async () => (await readStop()).stop?.nodes[0]?.result).toBe('confirmed');
  const { code, text } = await clock.settle(running);
  expect([code, text]).toEqual([exitCodes.ok, expect.stringContaining('The only node confirmed.')]);
  expect(lab.commandsTo('arm')).toEqual(['node safety_stop']);
  expect((await readStop()).stop).toMatchObject({ application: 'command line', nodes: [{ result: 'confirmed' }] });
});

it('--safety-stop prints the summary while a node does not respond', async () => {
  const { lab, ...started } = await start({ arm: 'stopper', mute: 'hanging' });
  const clock = useManualClock(Date.now());
  const running = run(started);
  await expect.poll(() => lab.commandsTo('mute')).toContain('node safety_stop');
  const { code, text } = await clock.settle(running);
  expect([code, text]).toEqual([
    exitCodes.failure,
    expect.stringMatching(/^\d of 2 nodes confirmed\. \d still to answer/),
  ]);
});

it('--safety-stop sends the stop itself with the stored nodes if no service runs', async () => {
  const { lab, service, ...started } = await start({ arm: 'stopper' });
  await service.manager.stop();
  useManualClock(Date.now());
  const { code, text } = await run(started);
  expect([code, text]).toEqual([exitCodes.ok, expect.stringContaining('it is sent from here')]);
  expect(lab.commandsTo('arm')).toEqual(['node safety_stop']);
});

it('--safety-stop leaves its stop to a service that starts meanwhile and releases it', async () => {
  const { lab, service, port, ...started } = await start({ arm: 'stopper', bad: 'deaf' });
  await service.manager.stop();
  const seen: { id: string | null; isReleased: boolean; posted: unknown[]; readings: number } = {
    id: null,
    isReleased: false,
    posted: [],
    readings: 0,
  };
  const refusals = { stop: null, release: null, acknowledge: null };
  // The later service, and the event manager from which it knows the stop.
  const later = http.createServer(async (request, response) => {
    const body: unknown = request.method === 'POST' ? await json(request) : null;
    if (request.url === '/event') seen.id ??= z.looseObject({ ['_id']: z.string() }).parse(body)['_id'];
    else if (request.method === 'POST') seen.posted.push(body);
    else if (seen.id !== null) seen.readings += 1;
    if (request.method === 'POST' && !seen.isReleased) return void response.writeHead(503).end();
    const stop = seen.id && { id: seen.id, at: '2026-01-01T00:00:00Z', machine: null, application: null, nodes: [] };
    const answer = { stop, in_effect: !seen.isReleased, acknowledged: false, known_nodes: 2, releases: [], refusals };
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => later.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void later.close());
  const env = {
    LAB_LISTEN_PORT: String(port),
    WORKCELL_SERVER_URL: lab.workcell,
    EVENT_SERVER_URL: `http://127.0.0.1:${port}/`,
  };
  const clock = useManualClock(Date.now());
  const running = run({ ...started, inputs: service.folder.inputs({ env }) });
  await clock.waitFor(() => expect([lab.commandsTo('bad').length > 3, seen.id]).toEqual([true, expect.any(String)]));
  await clock.waitFor(() => expect(seen.readings).toBeGreaterThan(1));
  seen.isReleased = true;
  const { text: printed } = await clock.settle(running);
  expect(printed).toContain('1 of 2 nodes confirmed');
  const [handover] = seen.posted.slice(-1);
  expect(handover).toMatchObject({
    stop_id: seen.id,
    nodes: expect.arrayContaining([expect.objectContaining({ name: 'arm' })]),
  });
});

it('--safety-stop does not stop the stored nodes of another workcell manager', async () => {
  const { lab, service, port, ...started } = await start({ arm: 'stopper' });
  await service.manager.stop();
  const env = { LAB_LISTEN_PORT: String(port), WORKCELL_SERVER_URL: 'http://127.0.0.1:9/' };
  const { code, text } = await run({ ...started, inputs: service.folder.inputs({ env }) });
  expect([code, text]).toEqual([
    exitCodes.failure,
    expect.stringContaining('No node is known, so nothing could be sent. Use the hardware emergency stop.'),
  ]);
  expect(lab.log).toEqual([]);
});

it('every output of the service shows the same stop', async () => {
  const { port, read, readStop } = await start({ arm: 'stopper', bad: 'deaf' });
  await sendRequest(port, '/safety_stop', { method: 'POST', headers: { host: `localhost:${port}` } });
  await expect
    .poll(async () => (await readStop()).stop?.nodes.map(({ result }) => result))
    .toEqual(['refused', 'confirmed']);
  const { stop } = await readStop();
  const lab = labHistory.parse(JSON.parse(await read('/lab_health/history')));
  expect(lab.safety_stop?.id).toBe(stop?.id);
  expect(lab.safety_stop?.nodes.map(({ name }) => name)).toEqual(['bad', 'arm']);
  await expect
    .poll(async () => JSON.parse(await read('/summary')) as unknown)
    .toMatchObject({ safety_stop: { at: stop?.at, in_force: true, unconfirmed: 1 } });
  const metrics = await read('/metrics');
  const isActive = /^labmanager_\w*safety_stop_active(?:\{.*\})? 1$/m.test(metrics);
  const isCounted = /^labmanager_safety_stops_total(?:\{.*\})? 1$/m.test(metrics);
  expect({ isActive, isCounted }).toEqual({ isActive: true, isCounted: true });
  const lines: string[] = [];
  await printStatus(`http://127.0.0.1:${port}/`, null, (line) => lines.push(line));
  const sentence = expect.stringContaining('1 of 2 nodes not confirmed: bad');
  expect(lines).toContainEqual(sentence);
  // Pages and wall screens show this sentence.
  expect(stop && describeStop(stop, () => '14:02')).toEqual(sentence);
  const now = Date.now();
  const tray = createTrayModel({
    service: runningStatus(),
    lab,
    receivedAt: now,
    unresponsiveSince: null,
    nextRetryAt: null,
    now,
    publicUrls: [],
    notices: [],
    followedUrl: null,
    knownNodes: 2,
    localStop: null,
    stopsOfOtherLabs: [],
    hasStopReport: true,
    mutes: { mutedUntil: null, mutedSubjects: {} },
    otherLabs: [],
  });
  expect(tray.tooltip).toEqual(sentence);
});
