/** A definition on its way from another page to this one: put here before going there, taken once. */
import type { Handed } from './fromWorkflow.ts';

let waiting: Handed | null = null;

export function handOver(definition: Handed): void {
  waiting = definition;
}

export function takeHanded(): Handed | null {
  const handed = waiting;
  waiting = null;
  return handed;
}
