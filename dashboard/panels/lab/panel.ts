import { mdiCogOutline } from '@mdi/js';
import type { Panel } from '../panel.ts';
import { labTitle } from '../titles.ts';

export const labPanel: Panel = {
  name: 'lab',
  path: '/lab',
  title: labTitle,
  icon: mdiCogOutline,
  key: 'l',
  group: 'records',
  kioskSeconds: 20,
  load: () => import('./LabPanel.vue'),
};
