/** The panels: one table for rail, routes, keyboard and kiosk. A new panel is one more entry. */
import { mdiCogOutline, mdiPlayBoxMultipleOutline, mdiRobotIndustrialOutline, mdiViewDashboardOutline } from '@mdi/js';
import type { Component } from 'vue';
import { texts } from './texts.ts';
import { panelTexts } from './texts/panels.ts';

export interface Panel {
  readonly name: string;
  /** Relative to the page's base. */
  readonly path: string;
  readonly title: string;
  readonly icon: string;
  /** Second key of the `g …` chord that opens it. */
  readonly key: string;
  /** Panels of one group stand together in the rail. */
  readonly group: 'lab' | 'work' | 'things' | 'records';
  /** Seconds it stays on a wall screen (`?kiosk`); 0 leaves it out. */
  readonly kioskSeconds: number;
  readonly load: () => Promise<{ default: Component }>;
  /** Pages below it, each with an address of its own. */
  readonly pages?: readonly Page[];
}

export interface Page {
  readonly name: string;
  readonly path: string;
  /** Until the page knows a better one, such as the name of what it shows. */
  readonly title: string;
  readonly load: () => Promise<{ default: Component }>;
}

export const panels: readonly Panel[] = [
  {
    name: 'overview',
    path: '/',
    title: texts.overview.title,
    icon: mdiViewDashboardOutline,
    key: 'o',
    group: 'lab',
    kioskSeconds: 60,
    load: () => import('../panels/overview/OverviewPanel.vue'),
  },
  {
    name: 'workcells',
    path: '/workcells',
    title: panelTexts.workcells,
    icon: mdiRobotIndustrialOutline,
    key: 'w',
    group: 'work',
    kioskSeconds: 60,
    load: () => import('../panels/workcells/WorkcellsPanel.vue'),
    pages: [
      {
        name: 'node',
        path: '/workcells/nodes/:node',
        title: panelTexts.node,
        load: () => import('../panels/workcells/node/NodePage.vue'),
      },
    ],
  },
  {
    name: 'workflows',
    path: '/workflows',
    title: panelTexts.workflows,
    icon: mdiPlayBoxMultipleOutline,
    key: 'f',
    group: 'work',
    kioskSeconds: 60,
    load: () => import('../panels/workflows/WorkflowsPanel.vue'),
    pages: [
      {
        name: 'submit',
        path: '/workflows/submit',
        title: panelTexts.submit,
        load: () => import('../panels/workflows/submit/SubmitPage.vue'),
      },
      {
        name: 'workflow',
        path: '/workflows/:id',
        title: panelTexts.workflow,
        load: () => import('../panels/workflows/workflow/WorkflowPage.vue'),
      },
    ],
  },
  {
    name: 'lab',
    path: '/lab',
    title: texts.lab.title,
    icon: mdiCogOutline,
    key: 'l',
    group: 'records',
    kioskSeconds: 20,
    load: () => import('../panels/lab/LabPanel.vue'),
  },
];
