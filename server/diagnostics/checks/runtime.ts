/** Checks whether the runtime still gets security fixes, whether pages of the app run in the sandbox, and the tray icon. */
import { clock } from '#api/time/clock.ts';
import { finding, type Check, type Finding, type AppDetails } from './check.ts';

/** The date on which the table `runtimeEnds` was written. */
export const runtimeTableDate = '2026-11-22';
/** If the table is older than this, in ms, versions without an end date have an unknown status. */
const releaseTableMaxAgeMs = 365 * 86_400_000;

/**
 * The end of support of each major version; `null`: supported when the table was written. Source for Node: the schedule
 * of the Node.js release working group (github.com/nodejs/release, as in node-releases 2.0.65). For Electron: its policy
 * to support the newest three major versions (electronjs.org/docs/latest/tutorial/electron-timelines): support of a version
 * ends with the release of the third version after it, by the dates in the npm registry.
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
export function runtimeFinding(name: 'Node' | 'Electron', version: string, now: number): Finding {
  const major = Number(/^v?(\d+)/.exec(version)?.[1] ?? Number.NaN);
  const ends = runtimeEnds[name];
  const majors = Object.keys(ends).map(Number);
  const runs = `${name} ${version}`;
  const outdated = (day: string | null): Finding =>
    finding(
      'warning',
      `${runs} is past its end of life${day === null ? '' : `, which was ${day}`}.`,
      name === 'Electron' ? 'Install a newer version of Lab Manager.' : 'Install a newer Node with long-term support.',
    );
  if (major < Math.min(...majors)) return outdated(null);
  const end = ends[major];
  if (end === undefined || (end === null && now - Date.parse(runtimeTableDate) > releaseTableMaxAgeMs))
    return finding(
      'unknown',
      `${runs}: its end of life is not known to this version of Lab Manager, whose table is of ${runtimeTableDate}.`,
      'Check for a newer version of Lab Manager.',
    );
  if (end !== null && now >= Date.parse(end) + 86_400_000) return outdated(end);
  return finding('ok', end === null ? `${runs} is supported.` : `${runs} is supported until ${end}.`);
}

export const runtime: Check = {
  id: 'runtime',
  title: 'Runtime',
  guide: 'troubleshooting.html#runtime',
  why: 'A runtime past its end of life gets no more security updates.',
  run() {
    const { electron, node } = process.versions;
    // Electron includes and updates its own Node.
    const [name, version] = electron === undefined ? (['Node', node] as const) : (['Electron', electron] as const);
    return runtimeFinding(name, version, clock.now());
  },
};

const appOnly = finding('unknown', 'Only the app has that.');

export function sandboxFinding(app: AppDetails | null): Finding {
  if (app === null) return appOnly;
  return app.isSandboxed
    ? finding('ok', 'Pages run in the sandbox.')
    : finding(
        'warning',
        'Pages run without the sandbox.',
        'Start the app as an ordinary user, not as root, and without --no-sandbox.',
      );
}

export function trayHostFinding(app: AppDetails | null): Finding {
  if (app === null) return appOnly;
  return app.trayHost
    ? finding('ok', 'The desktop shows the tray icon.')
    : finding(
        'warning',
        'This desktop shows no tray icons.',
        'On GNOME, install and enable the extension AppIndicator; other desktops have a system tray to add to a panel.',
      );
}

export const sandbox: Check = {
  id: 'sandbox',
  title: 'Sandbox',
  guide: 'troubleshooting.html#sandbox-tray',
  why: 'The sandbox keeps a compromised page from this machine’s files and programs.',
  run: ({ app }) => sandboxFinding(app),
};

export const trayHost: Check = {
  id: 'tray-host',
  title: 'Tray',
  guide: 'troubleshooting.html#sandbox-tray',
  why: 'The tray icon shows the state of the lab, also while the window is closed.',
  run: ({ app }) => trayHostFinding(app),
};
