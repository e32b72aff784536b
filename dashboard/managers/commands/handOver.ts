/** A definition on its way from another page to the submit page: put here before going there, taken once. */
import type { WorkflowDefinition } from '../../../api/managers/workflowDefinition.ts';

export interface HandedDefinition {
  readonly definition: Partial<WorkflowDefinition>;
  /** Where it is from, as people say it. */
  readonly from: string;
}
let waiting: HandedDefinition | null = null;

export function handOver(handed: HandedDefinition): void {
  waiting = handed;
}

export function takeHanded(): HandedDefinition | null {
  const handed = waiting;
  waiting = null;
  return handed;
}
