/** What needs a person: what it is, why, since when, and the one thing to do about it. Pure. */
import type { ManagerStatus } from '../../../api/lab/lab.ts';
import { managerName } from '../../../api/managers.ts';
import { managerLooks, nodeLooks, workflowLooks, type StateLook } from '../../../api/states.ts';
import { parseDuration } from '../../../api/time.ts';
import { readLabVersion } from '../../../api/version.ts';
import type { WorkcellState } from '../../../api/managers/workcell.ts';
import type { Workflow } from '../../../api/managers/workflow.ts';
import type { AttentionItem } from '../panel.ts';
import { nodePage, workflowPage } from '../../base/objectPages.ts';
import { overviewTexts as texts } from './texts.ts';
import { duration, parseTime } from '../../base/time.ts';
import { managerReason } from '../../managers/lab/labBadge.ts';
import { errorTime, needsPerson, nodeReason, nodeState } from '../../managers/workcell/nodeState.ts';
import {
  currentStep,
  failureWords,
  isBuiltIn,
  isWaiting,
  stepName,
  workflowState,
  workflowWords,
} from '../../managers/workcell/workflowState.ts';

export interface Seen {
  readonly managers: readonly ManagerStatus[];
  readonly workcell: WorkcellState | undefined;
  /** Queued, running, paused. */
  readonly current: readonly Workflow[];
  /** Newest of the archive. */
  readonly archived: readonly Workflow[];
  /** Addresses on localhost that other machines are told as they are. */
  readonly ownAddresses: number;
  readonly now: number;
  /** The workcell manager's naive stamp in ms since the epoch. */
  readonly at: (stamp: string | null | undefined) => number | null;
}

const day = 86_400_000;

/** How many are shown before the rest is asked for. A line that would hide a single one shows that instead. */
export function shownAtFirst(total: number, small: boolean): number {
  const few = small ? 3 : 8;
  return total <= few + 1 ? total : few;
}

/** Worst first; of the same severity the newest first. */
export function worstFirst(items: readonly AttentionItem[]): AttentionItem[] {
  return items.toSorted((a, b) => b.look.severity - a.look.severity || (b.since ?? 0) - (a.since ?? 0));
}

export function attentionItems(seen: Seen): AttentionItem[] {
  const items = [
    ...seen.managers.flatMap(managerItem),
    ...workcellItems(seen),
    ...nodeItems(seen),
    ...failedItems(seen),
    ...hangingItems(seen),
    ...labItems(seen),
  ];
  return worstFirst(items);
}

function managerItem(manager: ManagerStatus): AttentionItem[] {
  if (manager.state === 'healthy' || manager.state === 'unknown') return [];
  return [
    {
      key: `manager ${manager.manager}`,
      look: managerLooks[manager.state],
      name: texts.managerTitle(managerName(manager.manager)),
      reason: managerReason(manager, duration) || managerLooks[manager.state].word,
      since: parseTime(manager.since),
      action: { label: texts.checkNow },
    },
  ];
}

function workcellItems({ workcell, at }: Seen): AttentionItem[] {
  if (workcell?.status.errored !== true) return [];
  const newest = (workcell.status.errors ?? []).at(-1);
  return [
    {
      key: 'workcell',
      look: nodeLooks.errored,
      name: workcell.workcell_info.name,
      reason: [texts.workcellErrored, newest?.message ?? ''].filter(Boolean).join(': '),
      since: at(newest?.logged_at),
      action: { label: texts.openWorkcell, to: '/workcells' },
    },
  ];
}

/** A node that needs somebody, with how many workflows no time will start, because they wait for it. */
function nodeItems({ workcell, current, at }: Seen): AttentionItem[] {
  return Object.entries(workcell?.nodes ?? {}).flatMap(([name, node]) => {
    const state = nodeState(node);
    if (!needsPerson(state)) return [];
    const waiting = current.filter((workflow) => isWaiting(workflow) && currentStep(workflow)?.node === name).length;
    const reason = nodeReason(node) || nodeLooks[state].word;
    return [
      {
        key: `node ${name}`,
        look: nodeLooks[state],
        name,
        reason: waiting === 0 ? reason : `${reason.replace(/\.$/, '')}. ${texts.waitForIt(waiting)}`,
        since: at(errorTime(node)),
        action: { label: texts.openNode, to: nodePage(name) },
      },
    ];
  });
}

function failedItems({ current, archived, now, at }: Seen): AttentionItem[] {
  const ids = new Set<string>();
  return [...current, ...archived].flatMap((workflow) => {
    if (workflowState(workflow) !== 'failed' || ids.has(workflow.workflow_id)) return [];
    ids.add(workflow.workflow_id);
    const ended = at(workflow.end_time);
    if (ended === null || now - ended > day) return [];
    return [
      {
        key: `workflow ${workflow.workflow_id}`,
        look: workflowLooks.failed,
        name: workflow.name,
        reason: texts.failedAt(workflowWords(workflow), failureWords(workflow)),
        since: ended,
        past: true as const,
        action: { label: texts.openWorkflow, to: workflowPage(workflow.workflow_id) },
      },
    ];
  });
}

/** A step must run this many times longer than the longest earlier one, and at least this long, to be worth a look. */
const longer = 3;
const leastHang = 5 * 60_000;

/** How long the same action took on the same node at most, of those that succeeded: by `node action`, in ms. */
export function longestTimes(archived: readonly Workflow[], at: Seen['at']): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const { steps } of archived)
    for (const step of steps) {
      if (step.status !== 'succeeded' || isBuiltIn(step)) continue;
      const [from, to] = [at(step.start_time), at(step.end_time)];
      const told = parseDuration(step.duration);
      const took = told === null ? (from === null || to === null ? 0 : to - from) : told * 1000;
      const key = `${step.node ?? ''} ${step.action ?? ''}`;
      if (took > (longest.get(key) ?? 0)) longest.set(key, took);
    }
  return longest;
}

function hangingItems({ current, archived, now, at }: Seen): AttentionItem[] {
  const running = current.filter((workflow) => workflow.status.running);
  if (running.length === 0) return [];
  const longest = longestTimes(archived, at);
  return running.flatMap((workflow) => {
    const step = currentStep(workflow);
    const began = at(step?.start_time);
    const usual = longest.get(`${step?.node ?? ''} ${step?.action ?? ''}`);
    if (step === null || began === null || usual === undefined) return [];
    const took = now - began;
    if (took < leastHang || took < usual * longer) return [];
    const name = stepName(step, workflow.status.current_step_index);
    return [
      {
        key: `hanging ${workflow.workflow_id}`,
        look: { ...workflowLooks.running, shape: 'triangle' as const, color: 'attention' as const, severity: 3 },
        name: workflow.name,
        reason: texts.hangs(name, step.node ?? '', duration(took), duration(usual)),
        since: began,
        action: { label: texts.openWorkflow, to: workflowPage(workflow.workflow_id) },
      },
    ];
  });
}

function labItems({ managers, ownAddresses }: Seen): AttentionItem[] {
  const look: StateLook = { ...managerLooks.slow, word: '' };
  const action = { label: texts.openLab, to: '/lab' };
  const items: AttentionItem[] = [];
  const versions = managers.flatMap(({ manager, version }) => {
    const read = readLabVersion(version);
    return read === null ? [] : [{ name: managerName(manager), version: version ?? '', read }];
  });
  if (new Set(versions.map(({ read }) => read)).size > 1) {
    const list = versions.map(({ name, version }) => `${name} ${version}`).join(', ');
    items.push({ key: 'versions', look, name: texts.version, reason: texts.versions(list), since: null, action });
  }
  if (ownAddresses > 0)
    items.push({
      key: 'addresses',
      look: { ...look, severity: 0 },
      name: texts.addresses,
      reason: texts.ownAddress(ownAddresses),
      since: null,
      action,
      hideable: true,
    });
  return items;
}
