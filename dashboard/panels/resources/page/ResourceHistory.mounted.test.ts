import { beforeEach, expect, it, vi } from 'vitest';
import { createRecord } from '#api/commandRecord.ts';
import { formatDuration } from '#dashboard/base/time.ts';
import { recordCanvas } from '#dashboard/fixtures/recordCanvas.ts';
import { respondAsManagers } from '#dashboard/fixtures/managerResponses.ts';
import { mountComponent } from '#dashboard/fixtures/mounted.ts';
import { sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import ResourceHistory from './ResourceHistory.vue';

beforeEach(() => void recordCanvas());
const row = toResourceRow(sampleResource('A'));
const hourMs = 3_600_000;
/** One time for all: a correction belongs to the version that was stored at about its time. */
const now = Date.now();
const version = (number: number, agoMs: number, quantity: number) => ({
  resource_id: 'A',
  resource_name: 'tips',
  base_type: 'discrete_consumable',
  version: number,
  change_type: 'Updated',
  changed_at: new Date(now - agoMs).toISOString(),
  quantity,
});
/** 6 tips were used in the last 6 hours, and 900 were corrected. */
const versions = [1000, 998, 996, 994].map((quantity, index) => version(index + 1, (6 - index) * hourMs, quantity));
versions.push(version(5, hourMs, 94));
const correction = (agoMs: number) => {
  const data = createRecord(
    {
      command: 'set_quantity',
      target: { kind: 'resource', id: 'A', name: 'tips' },
      result: 'done',
      reason: '',
      sent_at: new Date(now - agoMs).toISOString(),
      duration_ms: 200,
      application: 'dashboard',
      machine: null,
    },
    'Set quantity: tips',
  );
  const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
  return {
    [id]: { _id: id, event_type: 'resource_update', log_level: 20, event_timestamp: '', source: {}, event_data: data },
  };
};

it('the history reports that there are no changes when the manager has none', async () => {
  respondAsManagers({ resource: () => [] });
  const { page } = mountComponent(ResourceHistory, { row });
  await vi.waitFor(() => expect(page.getAllByText('No changes recorded')).toHaveLength(1));
});

it('the history does not report “No changes recorded” while the manager fails', async () => {
  respondAsManagers({ resource: () => Response.json({ detail: 'no database' }, { status: 503 }) });
  const { page } = mountComponent(ResourceHistory, { row });
  await vi.waitFor(() => expect(page.getAllByText(/no database/)).toHaveLength(1));
  expect(page.queryByText('No changes recorded')).toBeNull();
});

it('the forecast is based on consumption, not on corrections by a user', async () => {
  respondAsManagers({ resource: () => versions, event: () => correction(hourMs) });
  const { page } = mountComponent(ResourceHistory, { row });
  // 94 tips, at 6 tips in 6 hours.
  const timeLeftText = `≈ ${formatDuration(94 * hourMs)} left`;
  await vi.waitFor(() => expect(page.getAllByText(timeLeftText)).toHaveLength(1));
});

it('the forecast works without an event log', async () => {
  respondAsManagers({ resource: () => versions });
  const { page } = mountComponent(ResourceHistory, { row });
  await vi.waitFor(() => expect(page.getAllByText(/left$/)).toHaveLength(1));
});

it('the history of a plate with contents of several units has no forecast and states why', async () => {
  respondAsManagers({ resource: () => versions });
  const plate = toResourceRow(
    sampleResource('A', {
      base_type: 'row',
      quantity: 5,
      children: ['mL', 'mg'].map((unit) =>
        sampleResource(unit, { base_type: 'continuous_consumable', quantity: 2, attributes: { unit } }),
      ),
    }),
  );
  const { page } = mountComponent(ResourceHistory, { row: plate });
  const note = 'No plot and no forecast: the history has no totals by unit, and the contents have several (mL, mg).';
  await vi.waitFor(() => expect(page.getAllByText(note)).toHaveLength(1));
  expect(page.queryByText(/left$/)).toBeNull();
});
