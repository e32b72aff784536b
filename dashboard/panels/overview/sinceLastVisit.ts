/** Failures since the last visit: managers that went down, failed workflows, nodes in error. Pure. */
import type { RouteLocationRaw } from 'vue-router';
import type { Incident, LabHistory } from '../../../api/lab/lab.ts';
import { findMaintenance } from '../../../api/lab/maintenance.ts';
import { managerTitle } from '../../../api/managers.ts';
import { countsAsHealthy, managerLooks, nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import type { Node } from '../../../api/managers/node.ts';
import type { Nodes } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import { nodePage, workflowPage } from '../../base/objectPages.ts';
import type { AttentionItem } from '../panel.ts';
import { overviewTexts as texts } from './texts.ts';
import { clock, parseTime } from '../../base/time.ts';
import { errorTextsOf } from '../../managers/errors/errorText.ts';
import { reportedByParent } from '../../managers/workcell/transfers.ts';
import { failureText, workflowState } from '../../managers/workcell/workflowState.ts';

export interface PastFailure {
  readonly key: string;
  readonly look: StateLook;
  readonly name: string;
  readonly text: string;
  /** ms since the epoch. */
  readonly time: number;
  readonly to?: RouteLocationRaw;
}

export interface SeenSince {
  readonly lab: Pick<LabHistory, 'managers' | 'incidents' | 'maintenance'>;
  readonly nodes: Nodes;
  readonly workflows: readonly Workflow[];
  readonly at: (stamp: string | null | undefined) => number | null;
  /** Time of the last visit, ms since the epoch. */
  readonly previousVisit: number;
}

/** Returns failures since `previousVisit`, newest first. Earlier failures are left out, even if they continue. */
export function failuresSince({ lab, nodes, workflows, at, previousVisit: look }: SeenSince): PastFailure[] {
  // Failures of a node during maintenance are left out.
  const isNewer = (name: string) => {
    const began = parseTime(findMaintenance(lab.maintenance, 'node', name)?.from);
    return ({ time }: PastFailure) => began === null || time < began;
  };
  return [
    ...(lab.incidents ?? []).flatMap((incident) => managerBreaks(incident, lab)),
    ...Object.entries(nodes).flatMap(([name, node]) => nodeBreaks(name, node, at).filter(isNewer(name))),
    ...workflowBreaks(workflows, at),
  ]
    .filter(({ time }) => time > look)
    .toSorted((a, b) => b.time - a.time);
}

/** Adds past attention items of other panels, such as a failed experiment, unless they are listed. */
export function addPastItems(
  found: readonly PastFailure[],
  items: readonly AttentionItem[],
  look: number,
): PastFailure[] {
  const others = items.flatMap(({ key, look: shown, name, reason, since, past, action }): PastFailure[] => {
    const isListed = found.some((one) => one.name === name && one.time === since);
    if (past !== true || since === null || since <= look || isListed) return [];
    return [
      { key, look: shown, name, text: reason, time: since, ...(action.to === undefined ? {} : { to: action.to }) },
    ];
  });
  return [...found, ...others].toSorted((a, b) => b.time - a.time);
}

/**
 * Returns when a manager became unhealthy and healthy again. An incident also ends when maintenance begins or the manager
 * is not observed.
 */
function managerBreaks(
  { kind, id, state, from }: Incident,
  { managers, incidents = [] }: SeenSince['lab'],
): PastFailure[] {
  const time = parseTime(from);
  const changes = managers.find(({ manager }) => manager === id)?.changes;
  if (kind !== 'manager' || time === null || changes === undefined) return [];
  // The start of an outage is unknown if the manager was unhealthy at its first check.
  if (changes[0]?.at === from) return [];
  const healthyAt = changes.flatMap((change) => (countsAsHealthy(change.state) ? (parseTime(change.at) ?? []) : []));
  const isSameOutage = (earlier: number | null) =>
    earlier !== null && earlier < time && !healthyAt.some((each) => each > earlier && each < time);
  if (incidents.some((each) => each.kind === kind && each.id === id && isSameOutage(parseTime(each.from)))) return [];
  const back = healthyAt.find((each) => each > time);
  const parts = [
    texts.wentDown(managerLooks[state].label),
    ...(back === undefined ? [] : [texts.cameBack(clock(back))]),
  ];
  return [
    {
      key: `manager ${id} ${from}`,
      look: managerLooks[state],
      name: managerTitle(id),
      text: parts.join(', '),
      time,
    },
  ];
}

/** A node's error list survives a reset, so it includes errors that are over. */
function nodeBreaks(name: string, { status }: Node, at: SeenSince['at']): PastFailure[] {
  return (status?.errors ?? []).flatMap((error, index) => {
    const time = at(error.logged_at);
    if (time === null) return [];
    return [
      {
        key: `node ${name} ${index}`,
        look: nodeLooks.errored,
        name,
        text: texts.nodeError(errorTextsOf([error])[0]?.text ?? ''),
        time,
        to: nodePage(name),
      },
    ];
  });
}

function workflowBreaks(workflows: readonly Workflow[], at: SeenSince['at']): PastFailure[] {
  const failed = new Map(
    workflows
      .filter((workflow) => workflowState(workflow) === 'failed')
      .map((workflow) => [workflow.workflow_id, workflow]),
  );
  const reported = reportedByParent(failed.values());
  return [...failed.values()].flatMap((workflow) => {
    const time = at(workflow.end_time);
    if (time === null || reported.has(workflow.workflow_id)) return [];
    return [
      {
        key: `workflow ${workflow.workflow_id}`,
        look: workflowLooks.failed,
        name: workflow.name,
        text: texts.workflowFailed(failureText(workflow)),
        time,
        to: workflowPage(workflow.workflow_id),
      },
    ];
  });
}
