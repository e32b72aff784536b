import { afterEach, expect, it, vi } from 'vitest';
import type { LabHistory, LabStatus } from '../../../api/lab/lab.ts';
import { answerAsLab } from '../../fixtures/answers.ts';
import { sampleLab, sampleNow } from '../../fixtures/lab.ts';
import { mounted } from '../../fixtures/mounted.ts';
import ManagersTable from './ManagersTable.vue';

afterEach(() => void vi.unstubAllGlobals());

const until = new Date(sampleNow + 3_600_000).toISOString();
const maintenance = { kind: 'manager' as const, id: 'data', name: 'Data Manager', from: until, until };
const refused = { state: 'unreachable', reason: 'connection refused' } as const;

function headingOf(lab: LabStatus): string {
  answerAsLab();
  const history: LabHistory = {
    ...lab,
    service: { name: 'lab-manager', version: '0.1.0', started: until },
    window_seconds: 7200,
    managers: lab.managers.map((manager) => ({ ...manager, changes: [], minutes: [] })),
  };
  const { page } = mounted(ManagersTable, {
    history,
    context: null,
    replacedBy: null,
    now: sampleNow,
    stale: false,
    kiosk: true,
  });
  return page.getByRole('heading', { name: 'Managers' }).parentElement?.textContent ?? '';
}

it('the heading counts managers in maintenance separately, like the heading of the page', () => {
  const lab = { ...sampleLab('healthy', { data: refused }), maintenance: [maintenance] };
  expect(headingOf(lab)).toContain('5 of 5 healthy, 1 in maintenance');
});

it.each([
  ['healthy', 'Managers6 of 6 healthyIncidents'],
  ['unknown', 'ManagersIncidents'],
] as const)('the heading counts healthy managers only while the state of the lab is known: %s', (state, heading) => {
  expect(headingOf(sampleLab(state))).toBe(heading);
});
