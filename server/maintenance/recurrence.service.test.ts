/** Windows in another time zone, which only a process of its own has. */
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../../api/lab/lab.ts';
import type { RecurringWindow } from './recurrence.ts';

interface Results {
  readonly windows: readonly RecurringWindow[];
  readonly times: readonly string[];
}
async function runInBerlin(cases: readonly (readonly [Recurrence, string])[], start: string): Promise<Results> {
  const script = `
    import { findNextWindow, findWindow } from './recurrence.ts';
    const cases = ${JSON.stringify(cases)};
    const windows = cases.map(([every, now]) => findWindow(every, Date.parse(now)));
    const [[weekly]] = cases;
    const times = [];
    for (let at = Date.parse('${start}'); times.length < 52; at = findNextWindow(weekly, at).from)
      times.push(new Date(findNextWindow(weekly, at).from).toString());
    console.log(JSON.stringify({ windows, times }));
  `;
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const output = execFileSync(process.execPath, ['--input-type=module', '-'], {
    input: outputFiles[0]?.text ?? '',
    env: { ...process.env, TZ: 'Europe/Berlin' },
  });
  return JSON.parse(String(output)) as Results;
}

const sundays: Recurrence = { days: ['Sun'], at: '02:30', minutes: 60 };
const saturdays: Recurrence = { days: ['Sat'], at: '23:00', minutes: 240 };
const cases = [
  ['before it', sundays, '2026-03-02T12:00:00Z', '2026-03-08T01:30:00.000Z'],
  ['within it', sundays, '2026-03-08T01:45:00Z', '2026-03-08T01:30:00.000Z'],
  ['at its end', sundays, '2026-03-08T02:30:00Z', '2026-03-15T01:30:00.000Z'],
  // 02:30 does not exist on 29 March 2026, and occurs twice on 25 October.
  ['when the clock skips its time', sundays, '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['in summer', sundays, '2026-04-01T12:00:00Z', '2026-04-05T00:30:00.000Z'],
  ['when its time occurs twice', sundays, '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['after the change to winter time', sundays, '2026-10-26T12:00:00Z', '2026-11-01T01:30:00.000Z'],
  ['over midnight', saturdays, '2026-03-08T00:30:00Z', '2026-03-07T22:00:00.000Z'],
] as const;

describe('a recurring window in Berlin', async () => {
  const { windows, times } = await runInBerlin(
    cases.map(([_name, every, now]) => [every, now]),
    '2026-04-01T00:00:00Z',
  );

  it.each(cases.map(([name, { minutes }, , from], index) => [name, minutes, from, windows[index]] as const))(
    'keeps its time of day: %s',
    (_name, minutes, from, window) => {
      expect(window).toEqual({ from: Date.parse(from), until: Date.parse(from) + minutes * 60_000 });
    },
  );

  it('begins at the same time of day in each week of a year', () => {
    const inEveryWeek = times.filter((time) => !time.startsWith('Sun Mar 28 2027'));
    expect(inEveryWeek).toHaveLength(51);
    expect(new Set(inEveryWeek.map((time) => `${time.slice(0, 3)} ${time.slice(16, 21)}`))).toEqual(
      new Set(['Sun 02:30']),
    );
  });
});
