/** Whether the runtime still gets corrections. */
import { nothingToDo, type Check, type Finding } from './check.ts';

const why = 'A runtime past its end of life gets no corrections of security faults any more.';

/** When this was written down. */
export const runtimeTableDate = '2026-11-22';
/** After this long nothing is said of a version that was supported then, in ms. */
const tableHoldsMs = 365 * 86_400_000;

/**
 * The last day of each major version; `null`: supported when this was written down.
 * Source for Node: the schedule of the Node.js release working group (github.com/nodejs/release, as node-releases 2.0.65 has it). For Electron: its policy
 * that the newest three major versions are supported (electronjs.org/docs/latest/tutorial/electron-timelines), so that one
 * ends when the third after it appears, by the dates in the npm registry.
 */
const runtimeEnds: Readonly<Record<'Node' | 'Electron', Readonly<Record<number, string | null>>>> = {
  Node: {
    18: '2025-04-30',
    19: '2023-06-01',
    20: '2026-04-30',
    21: '2024-06-01',
    22: '2027-04-30',
    23: '2025-06-01',
    24: '2028-04-30',
    25: '2026-06-01',
    26: '2029-04-30',
  },
  Electron: {
    36: '2025-10-28',
    37: '2026-01-13',
    38: '2026-03-10',
    39: '2026-05-05',
    40: '2026-06-30',
    41: '2026-08-25',
    42: '2026-10-20',
    43: null,
    44: null,
    45: null,
  },
};

/** @param now ms since the epoch */
export function runtimeVerdict(name: 'Node' | 'Electron', version: string, now: number): Finding {
  const major = Number(/^v?(\d+)/.exec(version)?.[1] ?? Number.NaN);
  const ends = runtimeEnds[name];
  const known = Object.keys(ends).map(Number);
  const runs = `${name} ${version}`;
  const past = (day: string | null): Finding => ({
    result: 'warning',
    what: `${runs} is past its end of life${day === null ? '' : `, which was ${day}`}.`,
    why,
    whatToDo:
      name === 'Electron' ? 'Install a newer version of Lab Manager.' : 'Install a newer Node with long-term support.',
  });
  if (major < Math.min(...known)) return past(null);
  const end = ends[major];
  if (end === undefined || (end === null && now - Date.parse(runtimeTableDate) > tableHoldsMs))
    return {
      result: 'unknown',
      what: `${runs}: its end of life is not known to this version of Lab Manager, whose table is of ${runtimeTableDate}.`,
      why,
      whatToDo: 'Look for a newer version of Lab Manager.',
    };
  if (end !== null && now >= Date.parse(end) + 86_400_000) return past(end);
  return {
    result: 'ok',
    what: end === null ? `${runs} is supported.` : `${runs} is supported until ${end}.`,
    why,
    whatToDo: nothingToDo,
  };
}

export const runtime: Check = {
  id: 'runtime',
  title: 'Runtime',
  run({ now }) {
    const { electron, node } = process.versions;
    // Electron brings its own Node and corrects it.
    return Promise.resolve(
      electron === undefined ? runtimeVerdict('Node', node, now()) : runtimeVerdict('Electron', electron, now()),
    );
  },
};
