import { mdiPlayBoxMultipleOutline } from '@mdi/js';
import { createNeedBadge, type Panel } from '../panel.ts';
import { useWorkflowAttention } from './attention.ts';
import { workflowTitles } from '../titles.ts';

export const workflowsPanel: Panel = {
  name: 'workflows',
  path: '/workflows',
  title: workflowTitles.panel,
  icon: mdiPlayBoxMultipleOutline,
  key: 'f',
  group: 'work',
  isFirstOnPhone: true,
  kioskSeconds: 60,
  load: () => import('./WorkflowsPanel.vue'),
  pages: [
    {
      name: 'submit',
      path: '/workflows/submit',
      title: workflowTitles.submit,
      load: () => import('./submit/SubmitPage.vue'),
    },
    {
      name: 'workflow',
      path: '/workflows/:id',
      title: workflowTitles.workflow,
      load: () => import('./workflow/WorkflowPage.vue'),
    },
  ],
  useBadge: createNeedBadge(['workflow', 'step']),
  useAttention: useWorkflowAttention,
  palette: () => import('./palette.ts'),
};
