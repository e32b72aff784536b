/** The health and the state of the lab, from its managers' states. */
import { countsAsHealthy, type LabState, type ManagerState } from '../../api/states.ts';

/** Healthy if more than half of the configured managers are; without a configured manager it is unhealthy. */
export function isLabHealthy(healthyManagers: number, totalManagers: number): boolean {
  return healthyManagers > totalManagers / 2;
}

/**
 * `5/6 managers are healthy`, `5/5 managers are healthy, 1 in maintenance`.
 * @param inMaintenance the number of further managers, which do not count
 */
export function healthSummary(healthyManagers: number, totalManagers: number, inMaintenance = 0): string {
  if (totalManagers === 0 && inMaintenance > 0) return 'All managers are in maintenance';
  const counted = `${healthyManagers}/${totalManagers} managers are healthy`;
  return inMaintenance === 0 ? counted : `${counted}, ${inMaintenance} in maintenance`;
}

/**
 * The state that tray and dashboard show. While some managers have not responded yet, it is returned as soon as their
 * responses cannot change it.
 * @param states of the configured managers
 * @param everChecked whether all of them were checked at least once since the start
 * @param inMaintenance the number of further managers, which do not count
 */
export function getLabState(states: readonly ManagerState[], everChecked: boolean, inMaintenance = 0): LabState {
  const total = states.length;
  if (total === 0 && inMaintenance > 0) return 'maintenance';
  const unknown = states.filter((state) => state === 'unknown').length;
  const healthy = states.filter(countsAsHealthy).length;
  const failing = total - unknown - healthy;
  if (total === 0) return 'down';
  if (healthy === total) return 'healthy';
  if (!isLabHealthy(total - failing, total)) return 'down';
  if (failing > 0 && isLabHealthy(healthy, total)) return 'degraded';
  return everChecked ? 'unknown' : 'starting';
}
