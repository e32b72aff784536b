/** Workcell conditions that need attention: its engine, and nodes that can't work without help. Pure. */
import type { WorkcellState } from '#api/managers/workcell.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { listUnansweredNodes, type LabStop } from '#api/safetyStop/labStop.ts';
import { nodeFlagText, nodeAppearances, type StateAppearance } from '#api/states.ts';
import { formatClock } from '../../base/time.ts';
import { safetyStopTexts } from '#api/safetyStop/safetyStopTexts.ts';
import { nodePage } from '../../base/objectPages.ts';
import { toErrorTexts } from '../../managers/errors/errorText.ts';
import {
  type NodeStateStart,
  needsAttention,
  otherNodeFlags,
  nodeAppearance,
  nodeReason,
  nodeReasonText,
  nodeStateInSentence,
  nodeState,
} from '../../managers/workcell/nodeState.ts';
import { currentStep, isWaiting } from '../../managers/workcell/workflowState.ts';
import type { AttentionItem } from '../panel.ts';

/** Attention texts of a workcell, separate from the panel's because the Overview needs them without the panel. */
export const attentionTexts = {
  openNode: 'Open node',
  openWorkcell: 'Open workcell',
  workcellErrored: 'The workcell’s engine has stopped: no step starts until the workcell manager is restarted',
  engineHeadline: (workcell: string) => `engine of ${workcell} stopped`,
  because: (what: string, reason: string) => `${what}: ${reason}`,
  /** @param flags further flags as text */
  headline: (node: string, state: string, flags: readonly string[]) =>
    flags.length === 0 ? `${node} ${state}` : `${node} ${state} (${flags.join(', ')})`,
} as const;

export interface WorkcellAttentionInput {
  readonly workcell: WorkcellState | undefined;
  /** Queued, running and paused workflows. */
  readonly current: readonly Workflow[];
  /** Converts the workcell manager's time stamp without a zone to ms since the epoch. */
  readonly parseStamp: (stamp: string | null | undefined) => number | null;
  readonly since: NodeStateStart;
  /** Whether the node is in maintenance. */
  readonly isInMaintenance: (name: string) => boolean;
  /** The safety stop in force. */
  readonly stop?: LabStop | null;
}

export function workcellAttention(input: WorkcellAttentionInput): readonly AttentionItem[] {
  return [...stopItems(input), ...engineItems(input), ...nodeItems(input)];
}

/** The highest severity: only the hardware stop is known to stop these nodes. */
export const unconfirmedAppearance: StateAppearance = {
  ...nodeAppearances.stopped,
  severity: nodeAppearances.stopped.severity + 1,
  label: safetyStopTexts.notConfirmedLabel,
};

/** Returns the nodes that did not confirm the current safety stop, by name, with the reason as text. */
export function unconfirmedReasons(stop: LabStop | null): ReadonlyMap<string, string> {
  if (stop === null || stop.at === null) return new Map();
  const time = formatClock(Date.parse(stop.at));
  return new Map(
    listUnansweredNodes(stop).map(({ name, result, reason, did }) => {
      const { held, noAnswerYet } = safetyStopTexts.outcome;
      const detail = result === 'held' ? held(did) : result === 'sending' ? noAnswerYet : reason;
      return [name, safetyStopTexts.notConfirmed(time, detail)];
    }),
  );
}

function stopItems({ stop = null }: WorkcellAttentionInput): AttentionItem[] {
  return [...unconfirmedReasons(stop)].map(([name, reason]) => ({
    key: `stop ${name}`,
    appearance: unconfirmedAppearance,
    name,
    reason,
    headline: safetyStopTexts.notConfirmedHeadline(name),
    since: Date.parse(stop?.at ?? ''),
    action: { label: attentionTexts.openNode, to: nodePage(name) },
  }));
}

function engineItems({ workcell, parseStamp }: WorkcellAttentionInput): AttentionItem[] {
  if (workcell?.status.errored !== true) return [];
  const newest = (workcell.status.errors ?? []).slice(-1);
  const errorText = toErrorTexts(newest)[0]?.text ?? '';
  const { name } = workcell.workcell_info;
  return [
    {
      key: 'workcell',
      appearance: nodeAppearances.errored,
      name,
      reason:
        errorText === ''
          ? attentionTexts.workcellErrored
          : attentionTexts.because(attentionTexts.workcellErrored, errorText),
      headline: attentionTexts.engineHeadline(name),
      since: parseStamp(newest[0]?.logged_at),
      action: { label: attentionTexts.openWorkcell, to: '/workcells' },
    },
  ];
}

/** Returns the nodes that need attention, and locked or paused ones if workflows wait for them, with their number. */
function nodeItems({ workcell, current, since, isInMaintenance }: WorkcellAttentionInput): AttentionItem[] {
  return Object.entries(workcell?.nodes ?? {}).flatMap(([name, node]) => {
    const state = nodeState(node);
    const waitingCount = current.filter(
      (workflow) => isWaiting(workflow) && currentStep(workflow)?.node === name,
    ).length;
    if (isInMaintenance(name) || !needsAttention(state, waitingCount)) return [];
    const appearance = nodeAppearance(node);
    const reason = nodeReason(node) || appearance.label;
    return [
      {
        key: `node ${name}`,
        appearance,
        name,
        reason: waitingCount === 0 ? reason : `${nodeReasonText(reason, waitingCount)}.`,
        headline: attentionTexts.headline(
          name,
          nodeStateInSentence(state),
          otherNodeFlags(node).map((flag) => nodeFlagText[flag]),
        ),
        since: since(name, node),
        action: { label: attentionTexts.openNode, to: nodePage(name) },
      },
    ];
  });
}
