/** Tests which state a restarted service restores from the run before, and for which lab. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LabContext } from '../../api/lab/lab.ts';
import { createContextRecord, defaultManagerUrl, managerKeys, type ManagerKey } from '../../api/managers.ts';
import { makeTempFolder, type TempFolder } from '../fixtures/tempFolder.ts';
import type { probe, ProbeOutcome } from '../health/probe.ts';
import { Watch } from '../health/watch.ts';
import { changeSettings, createTestModel } from '../fixtures/testModel.ts';
import type { LabModel } from '../lab/labModel.ts';
import { silentLog } from '../logging/log.ts';
import { HistoryRecorder } from './recorder.ts';

const begin = Date.UTC(2026, 0, 15, 12);
const minute = 60_000;
let folder: TempFolder;
beforeEach(async () => {
  folder = await makeTempFolder();
  vi.useFakeTimers({
    now: begin,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

const healthyOutcome: ProbeOutcome = { kind: 'answered', latencyMs: 5, body: { healthy: true, description: 'fine' } };
const unreachable: ProbeOutcome = { kind: 'failed', latencyMs: 1, reason: 'connection refused', reached: false };
const createContext = (host: string): LabContext => createContextRecord((key) => `http://${host}/${key}/`);

/** One run of the service; managers whose URL contains one of `down` refuse connections. */
class Run {
  readonly down = new Set<string>();
  readonly model: LabModel;
  readonly watch: Watch;
  readonly recorder: HistoryRecorder;

  constructor(context: LabContext) {
    const runProbe: typeof probe = (url) =>
      Promise.resolve([...this.down].some((part) => url.toString().includes(part)) ? unreachable : healthyOutcome);
    this.model = createTestModel({ context });
    this.watch = new Watch(this.model, { probe: runProbe });
    this.recorder = new HistoryRecorder(this.model, silentLog);
  }

  async start(): Promise<this> {
    await this.recorder.start(join(folder.path, 'history.jsonl'), '1');
    this.watch.restore(this.recorder.restoredState());
    this.watch.start();
    return this;
  }

  configure(context: LabContext): void {
    changeSettings(this.model, { context });
  }

  async advanceMinutes(minutes: number): Promise<void> {
    for (let count = 0; count < minutes; count += 1) await vi.advanceTimersByTimeAsync(minute);
    await this.recorder.settled();
  }

  async stop(): Promise<void> {
    this.watch.stop();
    await this.recorder.stop();
  }

  manager(key: ManagerKey) {
    const status = this.model.currentStatus().managers.find(({ manager }) => manager === key)!;
    const { changes = [], availability } = this.recorder.getWindow(2).managers.get(key) ?? {};
    const knownStates = changes.map(({ state }) => state).filter((state) => state !== 'unknown');
    return { ...status, states: knownStates.filter((state, index) => state !== knownStates[index - 1]), availability };
  }
}

it('a restart keeps the start time of each state and the history of the last two hours', async () => {
  const first = new Run(createContext('bench'));
  await first.start();
  await first.advanceMinutes(20);
  first.down.add('/data/');
  await first.advanceMinutes(10);
  const before = { lab: first.model.currentStatus(), data: first.manager('data'), event: first.manager('event') };
  await first.stop();
  await vi.advanceTimersByTimeAsync(3 * minute);

  const second = new Run(createContext('bench'));
  second.down.add('/data/');
  await second.start();
  await second.advanceMinutes(1);
  const { lab, data } = { lab: second.model.currentStatus(), data: second.manager('data') };
  expect(before.lab).toMatchObject({ state: 'degraded', since: before.data.since });
  expect([lab.state, lab.since]).toEqual([before.lab.state, before.lab.since]);
  expect([data.state, data.since, data.last_healthy !== null]).toEqual(['unreachable', before.data.since, true]);
  expect(data.states).toEqual(['healthy', 'unreachable']);
  expect(before.data.availability?.up_seconds).toBeGreaterThanOrEqual(19 * 60);
  expect(data.availability?.up_seconds).toBe(before.data.availability?.up_seconds);
  expect(second.manager('event').since).toBe(before.event.since);

  // A state that changed during the restart begins at the restart.
  await second.stop();
  const third = await new Run(createContext('bench')).start();
  await third.advanceMinutes(1);
  expect(third.manager('data').states).toEqual(['healthy', 'unreachable', 'healthy']);
  expect(Date.parse(third.manager('data').since ?? '')).toBeGreaterThan(begin + 33 * minute);
  await third.stop();
});

it('downtime at the previous addresses is excluded while other addresses are set, and counts again when they return', async () => {
  const first = new Run(createContext('old-bench'));
  first.down.add('/data/');
  await first.start();
  await first.advanceMinutes(10);
  const getPercent = (run: Run) => run.recorder.getWindow(24).managers.get('data')?.availability.percent;
  expect(getPercent(first)).toBe(0);
  first.down.clear();
  first.configure(createContext('new-bench'));
  await first.advanceMinutes(5);
  expect(first.recorder.getWindow(24).incidents).toEqual([]);
  expect(getPercent(first)).toBe(100);
  await first.stop();

  const second = await new Run(createContext('new-bench')).start();
  await second.advanceMinutes(1);
  expect(second.recorder.getWindow(24).incidents).toEqual([]);
  expect(getPercent(second)).toBe(100);
  expect(second.manager('data').states).toEqual(['healthy']);
  await second.stop();

  const third = await new Run(createContext('old-bench')).start();
  await third.advanceMinutes(1);
  const [incident] = third.recorder.getWindow(24).incidents;
  expect([incident?.id, incident?.seconds, incident?.to !== null]).toEqual(['data', 600, true]);
  await third.stop();
});

it('downtime at unset default addresses before the first response is excluded', async () => {
  const run = new Run(
    createContextRecord((key) => (key === 'lab' ? 'http://localhost:8000/' : defaultManagerUrl(key))),
  );
  for (const key of managerKeys) run.down.add(defaultManagerUrl(key));
  await run.start();
  await run.advanceMinutes(10);
  expect(run.recorder.getWindow(24).incidents).toEqual([]);
  run.down.delete(defaultManagerUrl('data'));
  await run.advanceMinutes(5);
  run.down.add(defaultManagerUrl('data'));
  await run.advanceMinutes(5);
  expect(run.recorder.getWindow(24).incidents.map(({ id, seconds }) => [id, Math.round(seconds / 60)])).toEqual([
    ['data', 5],
  ]);
  expect(run.recorder.getWindow(24).managers.get('data')?.availability.percent).toBeCloseTo(50, 0);
  await run.stop();
});
