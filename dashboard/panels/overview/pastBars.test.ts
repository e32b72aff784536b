import { describe, expect, it } from 'vitest';
import { duration } from '../../base/time.ts';
import { countedWords, maintenanceSpans, pastBars, pastBarWords, percentText } from './pastBars.ts';
import { historyTexts as texts } from './history/texts.ts';

const hour = 3_600_000;
const begin = Date.UTC(2026, 0, 15);
const stamp = (hours: number): string => new Date(begin + hours * hour).toISOString();
const window = { from: begin, to: begin + 90 * hour };
const all = [window];
const change = (at: number, state: 'healthy' | 'unreachable' | 'unknown') => ({ at: stamp(at), state, reason: null });

describe('bars of a longer window', () => {
  it('have the worst state of their time', () => {
    const bars = pastBars([change(-5, 'healthy'), change(10.2, 'unreachable'), change(10.4, 'healthy')], all, window);
    expect(bars).toHaveLength(90);
    expect(bars.map(({ state }) => state).filter((state) => state !== 'healthy')).toEqual(['unreachable']);
    expect(bars[10]?.state).toBe('unreachable');
  });

  it('are null for time without records', () => {
    const watched = [{ from: begin + 30 * hour, to: begin + 60 * hour }];
    const bars = pastBars([change(40, 'healthy')], watched, window);
    expect(bars.filter(({ state }) => state !== null)).toHaveLength(20);
    expect(bars[39]?.state).toBeNull();
    expect(bars[40]?.state).toBe('healthy');
    expect(bars[60]?.state).toBeNull();
  });
});

it('show faults during maintenance as maintenance, and only these', () => {
  const changes = [change(-5, 'healthy'), change(10.2, 'unreachable'), change(30.5, 'healthy')];
  const maintenance = maintenanceSpans(
    [
      { kind: 'manager', id: 'data', name: 'Data Manager', from: stamp(10), until: stamp(20) },
      { kind: 'manager', id: 'event', name: 'Event Manager', from: stamp(50), until: stamp(60) },
      { kind: 'lab', id: 'lab', name: 'The lab', from: stamp(70), until: stamp(71) },
    ],
    'data',
  );
  const bars = pastBars(changes, all, window, maintenance);
  expect(bars.slice(9, 11).map(({ state }) => state)).toEqual(['healthy', 'maintenance']);
  expect(bars.slice(19, 21).map(({ state }) => state)).toEqual(['maintenance', 'unreachable']);
  expect([bars[55]?.state, bars[70]?.state]).toEqual(['healthy', 'maintenance']);
  expect(pastBarWords(bars[10]!, window.to)).toMatch(/ maintenance$/);
});

describe('the text of an availability', () => {
  it.each([
    [null, '–'],
    [100, '100 %'],
    [99.999, '99.99 %'],
    [0, '0.00 %'],
  ])('the text of an availability of %s is %s', (percent, words) => expect(percentText(percent)).toBe(words));

  it('names the excluded time', () => {
    expect(countedWords(86_400, 86_400)).toEqual({ words: texts.countedAll, hint: '' });
    expect(countedWords(43_200, 86_400)).toEqual({
      words: texts.counted(duration(43_200_000)),
      hint: texts.countedHint(duration(86_400_000), duration(43_200_000)),
    });
  });
});
