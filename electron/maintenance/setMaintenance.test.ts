import { expect, it, vi } from 'vitest';
import { createCommandEvent, createRecord, type CommandFields } from '../../api/commandRecord.ts';
import { setMaintenance } from './setMaintenance.ts';

const until = Date.UTC(2026, 10, 23, 16);

function recordedEvent(record: ReturnType<typeof vi.fn>) {
  const [facts, action] = record.mock.calls[0] as [CommandFields, string];
  const full = createRecord({ ...facts, application: 'desktop app', machine: 'lab-pc', user: 'ada' }, action);
  return createCommandEvent({ id: '01JZ0000000000000000000000', record: full }, null);
}

it('a maintenance window from the app is recorded with the manager, its end and the user', async () => {
  const [set, record] = [vi.fn(async () => undefined), vi.fn(() => 'id')];
  const change = { kind: 'manager', id: 'data', until } as const;
  await setMaintenance({ service: { setMaintenance: set }, commands: { record } }, change);
  expect(set).toHaveBeenCalledWith(change);
  expect(recordedEvent(record)).toMatchObject({
    event_type: 'log_info',
    event_data: {
      command: 'maintenance',
      target: { kind: 'manager', id: null, name: 'Data Manager' },
      result: 'done',
      user: 'ada',
      until: '2026-11-23T16:00:00.000Z',
      message: 'Maintenance of Data Manager until 2026-11-23 16:00 UTC (ada on lab-pc, desktop app): done',
    },
  });
});

it('the end of a node’s maintenance is recorded on that node', async () => {
  const record = vi.fn(() => 'id');
  const app = { service: { setMaintenance: async () => undefined }, commands: { record } };
  await setMaintenance(app, { kind: 'node', id: 'arm', until: null });
  expect(recordedEvent(record)).toMatchObject({
    event_type: 'log_info',
    event_data: { command: 'maintenance_end', node_name: 'arm', result: 'done' },
  });
});

it.each([
  [{ days: ['Sun' as const], at: '02:00', minutes: 60 }, 'maintenance_plan', /Data Manager every Sun 02:00 for 1 h/],
  [null, 'maintenance_cancel', /^Cancellation of the recurring maintenance of Data Manager/],
])('a recurring maintenance that is %j is recorded as %s', async (every, command, message) => {
  const [set, record] = [vi.fn(async () => undefined), vi.fn(() => 'id')];
  const change = { kind: 'manager', id: 'data', every } as const;
  await setMaintenance({ service: { setMaintenance: set }, commands: { record } }, change);
  expect(set).toHaveBeenCalledWith(change);
  expect(recordedEvent(record)).toMatchObject({
    event_type: 'log_info',
    event_data: { command, result: 'done', message: expect.stringMatching(message) },
  });
});

it('a maintenance window that could not be set is recorded with the reason and reported', async () => {
  const record = vi.fn(() => 'id');
  const rejectChange = async () => Promise.reject(new Error('Maintenance must end in the future'));
  const change = { kind: 'lab', id: 'lab', until } as const;
  const app = { service: { setMaintenance: rejectChange }, commands: { record } };
  await expect(setMaintenance(app, change)).rejects.toThrow('in the future');
  expect(recordedEvent(record)).toMatchObject({
    event_data: { result: 'failed', reason: 'Maintenance must end in the future' },
  });
});
