/** The history of the lab in a window: its incidents and its managers' states. Pure. */
import type { Availability, Incident, Maintenance, MaintenanceSubject, StateChange } from '../../api/lab/lab.ts';
import { managerKeys, type ManagerKey } from '../../api/managers.ts';
import { needsPerson } from '../../api/managers/nodeState.ts';
import { countsAsHealthy, type BarState, type NodeState } from '../../api/states.ts';
import { maintenanceFromEntry, type MaintenanceEntry } from '../maintenance/entries.ts';
import {
  availabilityOf,
  barsOf,
  changesOf,
  incidentOf,
  managerOutages,
  nodeOutages,
  spansReaching,
  type Outage,
  withMaintenance,
} from './incidents.ts';
import type { MaintenanceSpan, Span, StateSpan } from './timeline.ts';

const hourMs = 3_600_000;
/** The default window. */
export const recentHours = 2;
/** The number of parts of a window. */
const barCount = 90;
/**
 * The maximum number of incidents and of watched times; the window of the last two hours, which pages poll every few
 * seconds, has a lower one.
 */
const maxListed = 1000;
const maxRecentIncidents = 100;

/** The history of the lab in a window that ends now. */
export interface LabPast {
  readonly windowSeconds: number;
  readonly incidents: Incident[];
  /** The watched times, ISO 8601 UTC, oldest first. */
  readonly watched: { from: string; to: string }[];
  readonly maintenance: Maintenance[];
  readonly managers: ReadonlyMap<ManagerKey, ManagerPast>;
}

interface ManagerPast {
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
export function labPast({ managers, nodes, watched, maintenance }: ObservedLab, hours: number, now: number): LabPast {
  const window: Span = { from: now - hours * hourMs, to: now };
  const maintenanceOf = (kind: MaintenanceSubject['kind'], id: string) =>
    maintenance.filter((span) => span.kind === 'lab' || (span.kind === kind && span.id === id));
  const keys = managerKeys.filter((key) => managers.has(key));
  const counted = new Map(
    keys.map((key) => {
      const spans = spansReaching(managers.get(key) ?? [], window.from, countsAsHealthy);
      return [key, withMaintenance(spans, maintenanceOf('manager', key))];
    }),
  );
  const maxIncidents = hours > recentHours ? maxListed : maxRecentIncidents;
  return {
    windowSeconds: hours * 3600,
    incidents: newestOutages(
      keys.flatMap((key) => managerOutages(key, { spans: counted.get(key) ?? [], watched }, window, maxIncidents)),
      [...nodes].flatMap(([name, all]) => {
        const reaching = spansReaching(all, window.from, (state) => !needsPerson(state));
        const spans = withMaintenance(reaching, maintenanceOf('node', name));
        return nodeOutages(name, { spans, watched }, window, maxIncidents);
      }),
      maxIncidents,
    ).map(incidentOf),
    watched: watched
      .filter(({ to }) => to > window.from)
      .slice(0 - maxListed)
      .map(({ from, to }) => ({ from: iso(Math.max(from, window.from)), to: iso(Math.min(to, now)) })),
    maintenance: maintenance
      .filter(({ from, to }) => to > window.from && from < window.to)
      .slice(0 - maxListed)
      .map(({ kind, id, from, to }) =>
        maintenanceFromEntry({ kind, id, from: iso(from), until: iso(to) } as MaintenanceEntry),
      ),
    managers: new Map(
      keys.map((key) => [
        key,
        {
          changes: changesOf(managers.get(key) ?? [], window),
          availability: availabilityOf(counted.get(key) ?? [], watched, window),
          bars: barsOf(counted.get(key) ?? [], watched, window, barCount),
        },
      ]),
    ),
  };
}

/** The newest of both, in order; each kind has half of the list. */
function newestOutages(ofManagers: readonly Outage[], ofNodes: readonly Outage[], count: number): readonly Outage[] {
  const newest = (outages: readonly Outage[], limit: number) =>
    outages.toSorted((a, b) => b.from - a.from).slice(0, limit);
  const nodes = newest(ofNodes, count - Math.min(ofManagers.length, count / 2));
  return newest([...newest(ofManagers, count - nodes.length), ...nodes], count);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
