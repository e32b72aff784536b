/**
 * The summary of this lab, for lab managers that show many labs. It is computed from the watches, so that it is available even
 * if no manager responds, and cached for two seconds.
 */
import { stringifyExactJson } from '../../api/exactJson.ts';
import { clock } from '../../api/time/clock.ts';
import type { LastStop, LabSummary } from '../../api/lab/fleet.ts';
import type { Incident, LabStatus, NodeActivity } from '../../api/lab/lab.ts';
import { listNeeds, needText, type Need } from '../../api/lab/needs.ts';
import { listUnconfirmedNodes } from '../../api/safetyStop/labStop.ts';
import { nodeStates, type NodeState } from '../../api/states.ts';
import type { WorkcellReader } from '../readers/workcellReader.ts';
import type { SafetyStopWatch } from '../readers/safetyStopWatch.ts';
import type { NodeSnapshot } from '../lab/activity.ts';
import type { LabModel } from '../lab/labModel.ts';
import type { HistoryWindow } from '../history/labHistory.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { cleanText } from '../logging/text.ts';

/** The window of the incidents, in hours: one that the history page offers, so that both use the same cached history. */
const incidentHours = 168;
const cacheMs = 2000;
/** Maximum length of a name and of a reason, in characters. */
const maxTextLength = 200;
/** Maximum number of nodes that are named. */
const maxNodes = 20;

export interface LabSummaryParts {
  readonly lab: LabModel;
  readonly history: Pick<HistoryRecorder, 'getWindow'>;
  readonly workflows: Pick<WorkcellReader, 'counts'>;
  readonly safetyStops: Pick<SafetyStopWatch, 'last'>;
  readonly version: string;
}

export class LabSummaries {
  readonly #parts: LabSummaryParts;
  #latest: { readonly text: string; readonly at: number } | null = null;

  constructor(parts: LabSummaryParts) {
    this.#parts = parts;
  }

  /** The summary as JSON. @param now by the monotonic clock, in ms */
  text(now = clock.monotonic()): string {
    // Called even if the summary is cached, because workflow counts are polled only while they are requested.
    const workflows = this.#parts.workflows.counts();
    if (this.#latest === null || now - this.#latest.at > cacheMs)
      this.#latest = { text: stringifyExactJson(this.#summary(workflows)), at: now };
    return this.#latest.text;
  }

  #summary(workflows: LabSummary['workflows']): LabSummary {
    const { history, safetyStops, version } = this.#parts;
    const lab = this.#parts.lab.currentStatus();
    const needs = listNeeds(lab);
    const [first] = needs;
    const planned = lab.planned_maintenance?.[0];
    return {
      service: { name: 'lab-manager', version },
      now: lab.now,
      lab_name: lab.lab_name === null ? null : shorten(lab.lab_name),
      state: lab.state,
      since: lab.since,
      managers: { healthy: lab.healthy_managers, total: lab.total_managers },
      nodes: countNodes(this.#parts.lab.nodeSnapshot()),
      ...(lab.activity?.nodes && { in_need: selectMostUrgent(lab.activity.nodes.in_need, needs).map(toNodeInNeed) }),
      needs: { count: needs.length, first: first === undefined ? null : shorten(needText(first)) },
      workflows,
      incidents: summarizeIncidents(history.getWindow(incidentHours)),
      safety_stop: summarizeLastStop(lab, safetyStops.last),
      stops_read: lab.stops_read === true,
      ...(planned && {
        planned_maintenance: { name: shorten(planned.name), from: planned.from, until: planned.until },
      }),
      ...(lab.demo && { demo: true }),
    };
  }
}

function countNodes({ nodes, isRecent }: NodeSnapshot): LabSummary['nodes'] {
  if (!isRecent) return null;
  const count = (state: NodeState): number => nodes.filter((node) => node.state === state).length;
  return Object.fromEntries(
    nodeStates.map((state) => [state, count(state)] as const).filter(([, nodeCount]) => nodeCount > 0),
  );
}

function selectMostUrgent(nodes: readonly NodeActivity[], needs: readonly Need[]): readonly NodeActivity[] {
  const names = needs.flatMap(({ kind, id }) => (kind === 'node' ? [id] : []));
  // A node that the safety stop has stopped is part of the stop's item.
  const rank = ({ name }: NodeActivity): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return nodes.toSorted((a, b) => rank(a) - rank(b)).slice(0, maxNodes);
}

function toNodeInNeed({ name, state, waiting = 0 }: NodeActivity): NonNullable<LabSummary['in_need']>[number] {
  return { name: shorten(name), state, waiting };
}

function summarizeIncidents({ incidents }: Pick<HistoryWindow, 'incidents'>): LabSummary['incidents'] {
  const [newest] = incidents;
  return {
    open: incidents.filter(({ to }) => to === null).length,
    last: newest === undefined ? null : shortenIncident(newest),
  };
}

function shortenIncident({ name, reason, from, to }: Incident): NonNullable<LabSummary['incidents']>['last'] {
  return { name: shorten(name), reason: reason === null ? null : shorten(reason), from, to };
}

/** The last safety stop: the one in effect, otherwise the newest of the event log. */
function summarizeLastStop(
  { safety_stop: open, acknowledged_stop: held }: Pick<LabStatus, 'safety_stop' | 'acknowledged_stop'>,
  last: SafetyStopWatch['last'],
): LastStop | null {
  const current = open ?? held;
  const stop = current ?? last;
  if (stop === null) return null;
  const { at, machine } = stop;
  return {
    // The record comes from the sender, so its time may be invalid.
    at: at === null || Number.isNaN(Date.parse(at)) ? null : new Date(at).toISOString(),
    machine: machine === null ? null : shorten(machine),
    in_force: current !== undefined,
    unconfirmed: current === undefined ? 0 : listUnconfirmedNodes(current).length,
  };
}

function shorten(text: string): string {
  return cleanText(text, maxTextLength);
}
