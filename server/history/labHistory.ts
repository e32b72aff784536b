/** The history of the lab in a window: its incidents and its managers' states. */
import type { Availability, Incident, Maintenance, MaintenanceSubject, StateChange } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import { needsAttention } from '../../api/managers/nodeState.ts';
import { countsAsHealthy, type BarState, type NodeState } from '../../api/states.ts';
import { maintenanceFromEntry, type MaintenanceEntry } from '../maintenance/entries.ts';
import {
  calculateAvailability,
  findWorstStates,
  listChanges,
  toIncident,
  findManagerOutages,
  findNodeOutages,
  dropEarlierSpans,
  type Outage,
  applyMaintenance,
} from './incidents.ts';
import type { MaintenanceSpan, Span, StateSpan } from './timeline.ts';

const hourMs = 3_600_000;
/** The default window. */
export const recentHours = 2;
/** The number of bars, one for each equal part of the window. */
const barCount = 90;
/**
 * The maximum number of entries in each list. The window of the last two hours, which pages poll every few seconds, has a
 * lower maximum of incidents.
 */
const maxEntries = 1000;
const maxRecentIncidents = 100;

/** The history of the lab in a window that ends now. */
export interface HistoryWindow {
  readonly windowSeconds: number;
  readonly incidents: Incident[];
  /** The watched times, ISO 8601 UTC, oldest first. */
  readonly watched: { from: string; to: string }[];
  readonly maintenance: Maintenance[];
  readonly managers: ReadonlyMap<ManagerKey, ManagerHistoryWindow>;
}

interface ManagerHistoryWindow {
  readonly changes: StateChange[];
  readonly availability: Availability;
  /** The worst state of each 90th of the window. */
  readonly bars: (BarState | null)[];
}

interface ObservedLab {
  readonly managers: ReadonlyMap<ManagerKey, readonly StateSpan[]>;
  readonly nodes: ReadonlyMap<string, readonly StateSpan<NodeState>[]>;
  readonly watched: readonly Span[];
  readonly maintenance: readonly MaintenanceSpan[];
}

/** The window of `hours` that ends at `now`, in ms since the epoch. */
export function computeHistoryWindow(
  { managers, nodes, watched, maintenance }: ObservedLab,
  hours: number,
  now: number,
): HistoryWindow {
  const window: Span = { from: now - hours * hourMs, to: now };
  const maintenanceFor = (kind: MaintenanceSubject['kind'], id: string) =>
    maintenance.filter((span) => span.kind === 'lab' || (span.kind === kind && span.id === id));
  const keys = managerKeys.filter((key) => managers.has(key));
  const spansByManager = new Map(
    keys.map((key) => {
      const spans = dropEarlierSpans(managers.get(key) ?? [], window.from, countsAsHealthy);
      return [key, applyMaintenance(spans, maintenanceFor('manager', key))];
    }),
  );
  const maxIncidents = hours > recentHours ? maxEntries : maxRecentIncidents;
  return {
    windowSeconds: hours * 3600,
    incidents: selectNewestOutages(
      keys.flatMap((key) =>
        findManagerOutages(key, { spans: spansByManager.get(key) ?? [], watched }, window, maxIncidents),
      ),
      [...nodes].flatMap(([name, nodeSpans]) => {
        const relevant = dropEarlierSpans(nodeSpans, window.from, (state) => !needsAttention(state));
        const spans = applyMaintenance(relevant, maintenanceFor('node', name));
        return findNodeOutages(name, { spans, watched }, window, maxIncidents);
      }),
      maxIncidents,
    ).map(toIncident),
    watched: watched
      .filter(({ to }) => to > window.from)
      .slice(0 - maxEntries)
      .map(({ from, to }) => ({ from: toIso(Math.max(from, window.from)), to: toIso(Math.min(to, now)) })),
    maintenance: maintenance
      .filter(({ from, to }) => to > window.from && from < window.to)
      .slice(0 - maxEntries)
      .map(({ kind, id, from, to }) =>
        maintenanceFromEntry({ kind, id, from: toIso(from), until: toIso(to) } as MaintenanceEntry),
      ),
    managers: new Map(
      keys.map((key) => [
        key,
        {
          changes: listChanges(managers.get(key) ?? [], window),
          availability: calculateAvailability(spansByManager.get(key) ?? [], watched, window),
          bars: findWorstStates(spansByManager.get(key) ?? [], watched, window, barCount),
        },
      ]),
    ),
  };
}

/** The newest outages, in order. Managers and nodes may each fill half of the list, and more if the other has fewer. */
function selectNewestOutages(managers: readonly Outage[], nodes: readonly Outage[], count: number): readonly Outage[] {
  const newest = (outages: readonly Outage[], limit: number) =>
    outages.toSorted((a, b) => b.from - a.from).slice(0, limit);
  const newestNodes = newest(nodes, count - Math.min(managers.length, count / 2));
  return newest([...newest(managers, count - newestNodes.length), ...newestNodes], count);
}

/** ISO 8601 UTC. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
