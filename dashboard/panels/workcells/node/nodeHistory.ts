/** Past steps and events of a node, from the managers' responses. */
import { wordFilter } from '#dashboard/base/texts.ts';
import { isObject } from '#api/client/wire.ts';
import type { Event } from '#api/managers/event.ts';
import type { StepState } from '#api/states.ts';
import type { Workflow } from '#api/managers/workflow.ts';
import { eventMessage, compareNewestFirst, asText } from '#dashboard/managers/event/eventText.ts';
import { stepErrorSentences, stepName, stepState } from '#dashboard/managers/workcell/workflowState.ts';

interface PastStep {
  readonly key: string;
  readonly workflowId: string;
  readonly workflow: string;
  /** The step's number, from 1. */
  readonly number: number;
  readonly name: string;
  readonly action: string;
  readonly state: StepState;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly errors: string;
}

type ParseStamp = (stamp: string | null | undefined) => number | null;

/** Returns every step that started on the node, newest first. */
export function listPastSteps(
  name: string,
  workflows: Iterable<Workflow>,
  parseStamp: ParseStamp,
): readonly PastStep[] {
  const steps = new Map<string, PastStep>();
  for (const workflow of workflows)
    for (const [index, step] of workflow.steps.entries()) {
      if (step.node !== name) continue;
      const state = stepState(workflow, index);
      if (state === 'waiting') continue;
      const key = `${workflow.workflow_id}.${index}`;
      steps.set(key, {
        key,
        workflowId: workflow.workflow_id,
        workflow: workflow.name,
        number: index + 1,
        name: stepName(step, index),
        action: step.action ?? '',
        state,
        startedAt: parseStamp(step.start_time),
        endedAt: parseStamp(step.end_time),
        errors: stepErrorSentences(step).join('; '),
      });
    }
  return [...steps.values()].toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
}

interface NodeEvent {
  readonly id: string;
  readonly time: string;
  readonly level: number;
  readonly message: string;
  readonly workflowId: string;
}

/** Fields of events with the node's name: from the writer, and from the workcell manager for steps. */
const nameFields = ['step_node', 'node_name', 'node'] as const;

export function isAboutNode({ source, event_data: data }: Event, name: string, id: string | null): boolean {
  if (id !== null && source.node_id === id) return true;
  if (!isObject(data)) return false;
  return nameFields.some((field) => data[field] === name) || (id !== null && data['node_id'] === id);
}

/**
 * Returns `isAboutNode` as a query, starting at a time in the format of the manager's host; `null`: all times. The store of
 * a local lab supports equality and comparisons.
 */
export function createEventQuery(
  name: string,
  id: string | null,
  since: string | null,
): Readonly<Record<string, unknown>> {
  const names = nameFields.map((field) => ({ [`event_data.${field}`]: name }));
  const ids = id === null ? [] : [{ 'source.node_id': id }, { 'event_data.node_id': id }];
  return { $or: [...ids, ...names], ...(since === null ? {} : { event_timestamp: { $gte: since } }) };
}

/** Returns the events of a node, newest first. */
export function filterNodeEvents(events: Iterable<Event>, name: string, nodeId: string | null): readonly NodeEvent[] {
  return [...events]
    .filter((event) => isAboutNode(event, name, nodeId))
    .toSorted(compareNewestFirst)
    .map(({ _id: id, ...event }) => ({
      id,
      time: event.event_timestamp,
      level: event.log_level,
      message: eventMessage(event),
      workflowId:
        (isObject(event.event_data) ? asText(event.event_data['workflow_id']) : '') || asText(event.source.workflow_id),
    }));
}

/** Returns the entries that contain all words of the text. */
export function filterByText<Entry>(list: readonly Entry[], text: string, textOfEntry: (entry: Entry) => string) {
  if (text.trim() === '') return list;
  const matches = wordFilter(text);
  return list.filter((entry) => matches(textOfEntry(entry)));
}
