/**
 * `npm run bench`: runs all benchmarks on this machine and prints one table; it is not a test.
 * `npm run bench -- dashboard` runs one group. `-- soak 10`, `-- faults 30` and `-- relay-memory 60` run a soak test
 * for that many minutes. With `--write` as the last argument, the table of the group replaces the one in `bench/README.md`.
 */
import { existsSync } from 'node:fs';
import { arch, cpus, loadavg, platform } from 'node:os';
import { benchAppAtRest } from './desktop/idleApp.ts';
import { benchAppStart } from './desktop/appStart.ts';
import { benchDashboard } from './dashboard/dashboard.ts';
import { benchData } from './dashboard/data.ts';
import { benchEvents } from './dashboard/events.ts';
import { benchExactJson } from './dashboard/exactJson.ts';
import { benchInventory } from './dashboard/inventory.ts';
import { benchDemoLab } from './demoLab.ts';
import { benchDesktop } from './desktop/desktop.ts';
import { benchFaults } from './faults.ts';
import { benchFleet } from './fleet.ts';
import { benchGuard } from './guard.ts';
import { benchHistory } from './history.ts';
import { benchKills, benchParsers } from './parts.ts';
import { benchRelay } from './relay.ts';
import { benchRelayMemory } from './relayMemory.ts';
import { benchRequestCosts } from './requestCosts.ts';
import { benchSafetyStop } from './safetyStop.ts';
import { benchSharedHistory } from './sharedHistory.ts';
import { benchLabHealth, benchLoad, benchStart } from './service.ts';
import { benchSoak } from './soak.ts';
import { markdownTable, writeTable, type Result } from './dashboard/table.ts';
import { benchTimeline } from './dashboard/timeline.ts';
import { benchTableSearch } from './dashboard/tableSearch.ts';
import { benchVitals } from './dashboard/vitals.ts';

const options = process.argv.slice(2);
const isWritten = options.at(-1) === '--write';
const [requested = 'all', minutes = '10'] = isWritten ? options.slice(0, -1) : options;

const benchmarkGroups: Readonly<Record<string, readonly (() => Promise<Result[]>)[]>> = {
  service: [benchStart, benchLoad, benchLabHealth, benchHistory],
  parts: [benchParsers, benchKills],
  relay: [benchRelay],
  requests: [benchRequestCosts],
  stop: [benchSafetyStop],
  fleet: [benchFleet],
  // `npm run test:engines` installs PostgreSQL.
  ...(existsSync('/usr/lib/postgresql') ? { database: [benchSharedHistory] } : {}),
  demo: [benchDemoLab],
  dashboard: [benchDashboard, benchVitals],
  vitals: [benchVitals],
  inventory: [benchInventory],
  events: [benchEvents],
  data: [benchData],
  timeline: [benchTimeline],
  tables: [benchTableSearch],
  json: [benchExactJson],
  desktop: [
    () => benchDesktop(runtime()),
    ...(platform() === 'linux' ? [benchAppStart, () => benchAppAtRest(runtime())] : []),
  ],
};
/** The guard and the soak tests, which run only when they are named; the latter for the given number of minutes. */
const soaks: typeof benchmarkGroups = {
  guard: [benchGuard],
  soak: [() => benchSoak(Number(minutes))],
  faults: [() => benchFaults(Number(minutes))],
  'relay-memory': [() => benchRelayMemory(Number(minutes))],
};

const benchmarks =
  requested === 'all' ? Object.values(benchmarkGroups).flat() : (benchmarkGroups[requested] ?? soaks[requested]);
if (benchmarks === undefined || !(Number(minutes) >= 1)) {
  throw new Error(
    `npm run bench takes all or one of ${Object.keys(benchmarkGroups).join(', ')}, or one of ${Object.keys(soaks).join(', ')} with a number of minutes of at least 1`,
  );
}
const loadBefore = systemLoad();
const results: Result[] = [];
for (const benchmark of benchmarks) results.push(...(await benchmark()));
const machine = `Node ${process.versions.node}, ${platform()}/${arch()}, ${cpus().length} cores, load of the last minute before: ${loadBefore}, after: ${systemLoad()}`;
console.log(`\n${machine}\n\n${markdownTable(results)}`);
if (isWritten) await writeTable(requested, machine, results);
if (requested === 'guard') {
  const failed = results.filter(({ isMet }) => !isMet);
  for (const { measurement, value, goal } of failed)
    console.log(`\nFAILED guard: ${measurement}\n| ${value}, expected ${goal} (bench/guard.json)`);
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed, 0 skipped`);
  if (failed.length > 0) process.exitCode = 1;
}

function systemLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function runtime(): string {
  const executable = process.env['LAB_MANAGER_RUNTIME'];
  if (!executable) throw new Error('LAB_MANAGER_RUNTIME must name the Electron runtime: use npm run bench');
  return executable;
}
