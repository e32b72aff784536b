/** Failures since the last visit: managers that went down, failed workflows, errors of nodes. */
import type { RouteLocationRaw } from 'vue-router';
import type { Incident, LabHistory } from '#api/lab/lab.ts';
import { listMaintenance } from '#api/lab/maintenance.ts';
import { managerTitle } from '#api/managers.ts';
import {
  countsAsHealthy,
  managerAppearances,
  nodeAppearances,
  workflowAppearances,
  type StateAppearance,
} from '#api/states.ts';
import type { Node } from '#api/managers/node.ts';
import type { Nodes } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { nodePage, workflowPage } from '../../base/objectPages.ts';
import type { AttentionItem } from '../panel.ts';
import { overviewTexts as texts } from './texts.ts';
import { formatClock, parseTime } from '../../base/time.ts';
import { toErrorTexts } from '../../managers/errors/errorText.ts';
import { findReportedByParent } from '../../managers/workcell/transfers.ts';
import { failureText, workflowState } from '../../managers/workcell/workflowState.ts';

export interface PastFailure {
  readonly key: string;
  readonly appearance: StateAppearance;
  readonly name: string;
  readonly text: string;
  /** ms since the epoch. */
  readonly time: number;
  readonly to?: RouteLocationRaw;
}

export interface FailureInput {
  readonly lab: Pick<LabHistory, 'managers' | 'incidents' | 'maintenance' | 'past_maintenance'>;
  readonly nodes: Nodes;
  readonly workflows: readonly Workflow[];
  readonly parseStamp: (stamp: string | null | undefined) => number | null;
  /** Time of the last visit, ms since the epoch. */
  readonly previousVisit: number;
}

/** Returns failures since `previousVisit`, newest first. Earlier failures are left out, even if they continue. */
export function failuresSince({ lab, nodes, workflows, parseStamp, previousVisit }: FailureInput): PastFailure[] {
  const windows = [...(lab.maintenance ?? []), ...(lab.past_maintenance ?? [])];
  const isOutsideMaintenanceOf = (name: string) => {
    const periods = listMaintenance(windows, 'node', name).map(({ from, until }) => [
      parseTime(from),
      parseTime(until),
    ]);
    return ({ time }: PastFailure) =>
      !periods.some(([from, until]) => (from ?? Infinity) <= time && time <= (until ?? Infinity));
  };
  return [
    ...(lab.incidents ?? []).flatMap((incident) => managerFailures(incident, lab)),
    ...Object.entries(nodes).flatMap(([name, node]) =>
      nodeFailures(name, node, parseStamp).filter(isOutsideMaintenanceOf(name)),
    ),
    ...workflowFailures(workflows, parseStamp),
  ]
    .filter(({ time }) => time > previousVisit)
    .toSorted((a, b) => b.time - a.time);
}

/** Adds past attention items of other panels since `previousVisit`, such as a failed experiment, if not listed yet. */
export function addPastItems(
  failures: readonly PastFailure[],
  items: readonly AttentionItem[],
  previousVisit: number,
): PastFailure[] {
  const others = items.flatMap(({ key, appearance, name, reason, since, past, action }): PastFailure[] => {
    const isListed = failures.some((failure) => failure.name === name && failure.time === since);
    if (past !== true || since === null || since <= previousVisit || isListed) return [];
    return [
      { key, appearance, name, text: reason, time: since, ...(action.to === undefined ? {} : { to: action.to }) },
    ];
  });
  return [...failures, ...others].toSorted((a, b) => b.time - a.time);
}

/**
 * Returns the failure of a manager with the time of its recovery; nothing if an earlier incident belongs to the same
 * outage. An incident also ends when maintenance begins or the manager is not observed.
 */
function managerFailures(
  { kind, id, state, from }: Incident,
  { managers, incidents = [] }: FailureInput['lab'],
): PastFailure[] {
  const time = parseTime(from);
  const changes = managers.find(({ manager }) => manager === id)?.changes;
  if (kind !== 'manager' || time === null || changes === undefined) return [];
  // The start of an outage is unknown if the manager was unhealthy at its first check.
  if (changes[0]?.at === from) return [];
  const healthyTimes = changes.flatMap((change) => (countsAsHealthy(change.state) ? (parseTime(change.at) ?? []) : []));
  const isSameOutage = (earlier: number | null) =>
    earlier !== null &&
    earlier < time &&
    !healthyTimes.some((healthyTime) => healthyTime > earlier && healthyTime < time);
  if (
    incidents.some((incident) => incident.kind === kind && incident.id === id && isSameOutage(parseTime(incident.from)))
  )
    return [];
  const recoveredAt = healthyTimes.find((healthyTime) => healthyTime > time);
  const parts = [
    texts.wentDown(managerAppearances[state].label),
    ...(recoveredAt === undefined ? [] : [`recovered at ${formatClock(recoveredAt)}`]),
  ];
  return [
    {
      key: `manager ${id} ${from}`,
      appearance: managerAppearances[state],
      name: managerTitle(id),
      text: parts.join(', '),
      time,
    },
  ];
}

/** A node's error list survives a reset, so it includes past errors. */
function nodeFailures(name: string, { status }: Node, parseStamp: FailureInput['parseStamp']): PastFailure[] {
  return (status?.errors ?? []).flatMap((error, index) => {
    const time = parseStamp(error.logged_at);
    if (time === null) return [];
    return [
      {
        key: `node ${name} ${index}`,
        appearance: nodeAppearances.errored,
        name,
        text: texts.nodeError(toErrorTexts([error])[0]?.text ?? ''),
        time,
        to: nodePage(name),
      },
    ];
  });
}

function workflowFailures(workflows: readonly Workflow[], parseStamp: FailureInput['parseStamp']): PastFailure[] {
  const failedById = new Map(
    workflows
      .filter((workflow) => workflowState(workflow) === 'failed')
      .map((workflow) => [workflow.workflow_id, workflow]),
  );
  const reportedByParent = findReportedByParent(failedById.values());
  return [...failedById.values()].flatMap((workflow) => {
    const time = parseStamp(workflow.end_time);
    if (time === null || reportedByParent.has(workflow.workflow_id)) return [];
    return [
      {
        key: `workflow ${workflow.workflow_id}`,
        appearance: workflowAppearances.failed,
        name: workflow.name,
        text: texts.workflowFailed(failureText(workflow)),
        time,
        to: workflowPage(workflow.workflow_id),
      },
    ];
  });
}
