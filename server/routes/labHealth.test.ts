import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { labHealth, labHistory } from '../../api/lab/lab.ts';
import { managerKeys } from '../../api/managers.ts';
import {
  calculateAvailability,
  findWorstStates,
  listChanges,
  toIncident,
  findManagerOutages,
} from '../history/incidents.ts';
import type { HistoryWindow } from '../history/labHistory.ts';
import { HistoryTimeline } from '../history/timeline.ts';
import { labHealthText, labHistoryText } from './labHealth.ts';

const example = (path: string) => labEndpoints.find((endpoint) => endpoint.path === path)?.example;
/** Returns the example of `/lab_health/history` as the two arguments of `labHistoryText`. */
function historyExample() {
  const {
    incidents,
    watched,
    past_maintenance: maintenance,
    ...history
  } = labHistory.parse(example('/lab_health/history'));
  const managers = history.managers.map(
    ({ changes: _changes, availability: _availability, bars: _bars, ...recent }) => recent,
  );
  const past: HistoryWindow = {
    windowSeconds: history.window_seconds,
    incidents: incidents ?? [],
    watched: watched ?? [],
    maintenance: maintenance ?? [],
    managers: new Map(
      history.managers.flatMap(({ manager, changes, availability, bars }) =>
        availability && bars ? [[manager, { changes, availability, bars }]] : [],
      ),
    ),
  };
  return { live: { ...history, managers }, past };
}
const deep: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
const cycle: unknown[] = [];
cycle.push(cycle);

it('the history of 90 days of flapping managers has at most 300 KB compressed and matches the contract', () => {
  const end = Date.UTC(2026, 0, 15);
  const records = Array.from({ length: 100_000 }, (_, index) => ({
    kind: 'state' as const,
    at: new Date(end - (100_000 - index) * 77_760).toISOString(),
    manager: managerKeys[index % 6] ?? ('event' as const),
    state: Math.floor(index / 6) % 2 === 0 ? ('healthy' as const) : ('unhealthy' as const),
    // A manager's description may have this length, and change with every response.
    reason: Array.from({ length: 20 }, (_each, word) =>
      ((index * 2_654_435_761 + word * 40_503) % 2 ** 32).toString(36),
    ).join(),
  }));
  const { managers } = new HistoryTimeline(records);
  const window = { from: end - 90 * 86_400_000, to: end };
  const past: HistoryWindow = {
    windowSeconds: 90 * 86_400,
    incidents: findManagerOutages('event', { spans: managers.get('event') ?? [], watched: [] }, window, 1000).map(
      toIncident,
    ),
    watched: [],
    maintenance: [],
    managers: new Map(
      [...managers].map(([key, spans]) => [
        key,
        {
          changes: listChanges(spans, window),
          availability: calculateAvailability(spans, [], window),
          bars: findWorstStates(spans, [window], window, 90),
        },
      ]),
    ),
  };
  const { live } = historyExample();
  const text = labHistoryText({ ...live, window_seconds: past.windowSeconds }, past);
  expect(gzipSync(text, { level: 4 }).length).toBeLessThan(300_000);
  const body = labHistory.parse(JSON.parse(text));
  const [manager] = body.managers;
  expect(body.window_seconds).toBe(past.windowSeconds);
  expect(body.incidents).toEqual(past.incidents);
  const expectedManager = past.managers.get(manager?.manager ?? 'event');
  expect(manager?.changes).toEqual(expectedManager?.changes);
  expect(manager?.bars).toEqual(expectedManager?.bars);
});

describe('the responses about the health of a lab', () => {
  it.each([
    ['a value that is too deep', deep],
    ['a cycle', cycle],
    ['a BigInt', 1n],
  ])('replace only the entry that contains %s, which JSON cannot represent', (_name, value) => {
    const health = labHealth.parse(example('/lab_health'));
    const text = labHealthText({
      ...health,
      managers: { ...health.managers, data_manager: { healthy: true, description: 'x', value } },
    });
    expect(JSON.parse(text)).toEqual({
      ...health,
      managers: {
        ...health.managers,
        data_manager: { healthy: false, description: 'its answer cannot be written as JSON' },
      },
    });

    const { live, past } = historyExample();
    const [manager] = live.managers;
    if (!manager) throw new Error('The example has no manager');
    const broken = { ...manager, health: { healthy: true, description: 'x', value } };
    const body = labHistory.parse(JSON.parse(labHistoryText({ ...live, managers: [broken, manager] }, past)));
    const [managerExample] = labHistory.parse(example('/lab_health/history')).managers;
    expect(body.managers).toEqual([
      { ...managerExample, health: { healthy: false, description: 'its answer cannot be written as JSON' } },
      managerExample,
    ]);
  });

  it('contain all values unchanged when JSON can represent them', () => {
    const health = labHealth.parse(example('/lab_health'));
    expect(labHealthText(health)).toBe(JSON.stringify(health));
    const { live, past } = historyExample();
    expect(JSON.parse(labHistoryText(live, past))).toEqual(example('/lab_health/history'));
  });
});
