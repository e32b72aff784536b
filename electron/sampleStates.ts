/** States of a lab and its service for the tests of the shell's policies. */
import type { LabStatus, ManagerStatus } from '../api/lab.ts';
import { defaultPorts, managerKeys, managerTitle, type ManagerKey } from '../api/managers.ts';
import { countsAsHealthy, type LabState } from '../api/states.ts';
import type { RunningStatus } from '../server/status.ts';
import type { Origin } from '../server/settings/schema/types.ts';

/** One o'clock wherever the tests run, so that they can say in words what a clock shows. */
export const now = new Date(2026, 0, 15, 13, 0).getTime();

export function managerStatus(manager: ManagerKey, changes: Partial<ManagerStatus> = {}): ManagerStatus {
  return {
    manager,
    name: managerTitle(manager),
    url: `http://lab-pc:${defaultPorts[manager]}/`,
    state: 'healthy',
    reason: null,
    since: new Date(now - 3_600_000).toISOString(),
    last_checked: new Date(now).toISOString(),
    last_healthy: new Date(now).toISOString(),
    latency_ms: 4,
    usual_latency_ms: 4,
    version: '0.8.1',
    health: null,
    ...changes,
  };
}

export function labStatus(
  state: LabState,
  changed: Partial<Record<ManagerKey, Partial<ManagerStatus>>> = {},
): LabStatus {
  const managers = managerKeys.map((key) => managerStatus(key, changed[key]));
  const healthy = managers.filter((manager) => countsAsHealthy(manager.state)).length;
  return {
    lab_name: 'Bench Lab',
    now: new Date(now).toISOString(),
    state,
    description: `${healthy}/6 managers are healthy`,
    since: null,
    interval_seconds: 5,
    total_managers: 6,
    healthy_managers: healthy,
    managers,
  };
}

export const defaultOrigin: Origin = { source: 'default', name: null, file: null, line: null, path: null };

export function runningStatus(changes: Partial<RunningStatus> = {}): RunningStatus {
  return {
    phase: 'running',
    port: 8000,
    listening: ['[::]:8000'],
    loopbackUrl: 'http://127.0.0.1:8000/',
    serverUrl: 'http://lab-pc:8000/',
    labName: 'Bench Lab',
    follows: null,
    followLost: null,
    demo: false,
    configured: true,
    dashboard: 'bundled',
    dashboardOrigin: defaultOrigin,
    settingsTarget: '/config/lab.settings.yaml',
    warnings: [],
    problems: [],
    restartNeeded: [],
    ...changes,
  };
}
