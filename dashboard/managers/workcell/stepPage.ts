/** The address of a step: its workflow's page, with the step opened and in view. */
import type { RouteLocationRaw } from 'vue-router';

/** @param index of the step in its workflow, from 0 */
export function stepPage(workflow: string, index: number): RouteLocationRaw {
  return { name: 'workflow', params: { id: workflow }, query: { step: String(index) } };
}
