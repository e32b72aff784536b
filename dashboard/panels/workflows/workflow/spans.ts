/** When each step of a workflow ran and waited, as lanes and spans of a time axis. Nothing is drawn without times. Pure. */
import { stepLooks, workflowLooks } from '../../../../api/states.ts';
import type { Workflow } from '../../../../api/managers/workflow.ts';
import { workflowsTexts } from '../texts.ts';
import type { Lane, LaneSpan } from '../../../components/time/timeAxis.ts';
import { ownLane, stepSpansOf, type At, type Children, type StepSpan } from '../../../managers/workcell/stepSpans.ts';
import { isBuiltIn, nodesOf } from '../../../managers/workcell/workflowState.ts';

const texts = workflowsTexts.page;
const childless: Children = new Map();

export function lanesOf(workflow: Pick<Workflow, 'steps'>, children = childless): readonly Lane[] {
  const names = new Set([workflow, ...children.values()].flatMap(nodesOf));
  const nodes = [...names].map((name) => ({ key: name, label: name }));
  return workflow.steps.some(isBuiltIn) ? [...nodes, { key: ownLane, label: texts.lane }] : nodes;
}

/** The span's key; the step can be read from any key by `stepOfKey`. */
function keyOf({ index, attempt, waiting, end, carries }: StepSpan): string {
  if (carries !== undefined) return `${index}.c${keyOf(carries)}`;
  if (!waiting) return `${index}.${attempt}`;
  return end === null ? `${index}.w${attempt}` : `${index}.w`;
}
export function stepOfKey(key: string): number {
  return Number.parseInt(key, 10);
}

export function spansOf(workflow: Workflow, at: At, children = childless): readonly LaneSpan[] {
  return stepSpansOf(workflow, at, children).map((span) => {
    const { lane, start, end, atEarliest, name, attempt } = span;
    const time = atEarliest === true ? { start, end, atEarliest } : { start, end };
    const label = attempt === 0 && span.past !== true ? name : texts.again(name, attempt + 1);
    return {
      key: keyOf(span),
      lane,
      ...time,
      ...(span.waiting
        ? { look: workflowLooks.queued, label: texts.waitsFor(name), thin: true }
        : { look: stepLooks[span.state], label }),
    };
  });
}
