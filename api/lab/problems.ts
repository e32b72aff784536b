/** The problems of a lab, the most urgent first: one list for the top bar, the title and the metrics. Pure. */
import { countsAsHealthy, managerAppearances, nodeAppearances } from '../states.ts';
import type { LabStatus, ManagerStatus, NodeActivity, OverdueStep } from './lab.ts';
import { outsideMaintenance } from './maintenance.ts';

export const problemKinds = ['manager', 'node', 'step'] as const;

export type Problem =
  | { readonly kind: 'manager'; readonly manager: ManagerStatus }
  | { readonly kind: 'node'; readonly node: NodeActivity }
  | { readonly kind: 'step'; readonly step: OverdueStep };

/** The severity of an overdue step, below that of every failure. */
export const overdueSeverity = 3;

/** `Overdue at “Incubate” on incubator_1` */
export const overdueText = (step: string, node: string): string => `Overdue at “${step}” on ${node}`;

function severity(problem: Problem): number {
  if (problem.kind === 'manager') return managerAppearances[problem.manager.state].severity;
  return problem.kind === 'node' ? nodeAppearances[problem.node.state].severity : overdueSeverity;
}

/** The failing managers, the nodes that need attention, and the overdue steps; of equal severity in this order. */
export function listProblems(status: Pick<LabStatus, 'managers' | 'maintenance' | 'activity'>): readonly Problem[] {
  const { managers, maintenance, activity } = status;
  const problems: readonly Problem[] = [
    ...outsideMaintenance(managers, maintenance)
      .filter(({ state }) => !countsAsHealthy(state) && state !== 'unknown')
      .map((manager) => ({ kind: 'manager' as const, manager })),
    ...(activity?.nodes?.in_need ?? []).map((node) => ({ kind: 'node' as const, node })),
    ...(activity?.overdue_steps ?? []).map((step) => ({ kind: 'step' as const, step })),
  ];
  return problems.toSorted((a, b) => severity(b) - severity(a));
}
