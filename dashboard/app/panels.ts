/** The panels: one table for rail, routes, keyboard and kiosk. A new panel is one more entry. */
import { mdiCogOutline, mdiViewDashboardOutline } from '@mdi/js';
import type { Component } from 'vue';
import { texts } from './texts.ts';

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
