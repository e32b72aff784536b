import { waitFor } from '@testing-library/dom';
import { expect, it, vi } from 'vitest';
import { ref, shallowRef } from 'vue';
import { refreshQueries } from '../../../fixtures/locationResponses.ts';
import { respondAsManagers } from '../../../fixtures/managerResponses.ts';
import { runInComponent } from '../../../fixtures/mounted.ts';
import type { Archive } from './useArchive.ts';
import { useWorkflowRows } from './useWorkflowRows.ts';

it('useWorkflowRows reads the archive again once after a newer list of active workflows', async () => {
  respondAsManagers({ workcell: ({ path }) => (path === '/workflows/active' ? {} : undefined) });
  const retry = vi.fn();
  const receivedAt = shallowRef<number | null>(null);
  const newest = { data: ref({ rows: [], requested: 50 }), receivedAt, retry };
  runInComponent(() => useWorkflowRows({ newest, lastRead: ref(null) } as unknown as Archive));
  await new Promise((resolve) => setTimeout(resolve, 100));
  receivedAt.value = Date.now();
  expect(retry).not.toHaveBeenCalled();
  await new Promise((resolve) => setTimeout(resolve, 5));
  refreshQueries();
  await waitFor(() => expect(retry).toHaveBeenCalledTimes(1));
  refreshQueries();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(retry).toHaveBeenCalledTimes(1);
});
