import { fireEvent } from '@testing-library/dom';
import { nextTick } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import type { LabHistory, LabStatus } from '../../../api/lab/lab.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { sampleLabStatus, sampleNow } from '../../fixtures/sampleLabStatus.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import ManagersTable from './ManagersTable.vue';

afterEach(() => void vi.unstubAllGlobals());

const until = new Date(sampleNow + 3_600_000).toISOString();
const maintenance = { kind: 'manager' as const, id: 'data', name: 'Data Manager', from: until, until };
const refused = { state: 'unreachable', reason: 'connection refused' } as const;

const bars = [...Array.from({ length: 88 }, () => 'healthy' as const), null, 'maintenance' as const];

function mountTable(lab: LabStatus) {
  respondAsLab();
  const history: LabHistory = {
    ...lab,
    service: { name: 'lab-manager', version: '0.1.0', started: until },
    window_seconds: 7200,
    managers: lab.managers.map((manager) => ({ ...manager, changes: [], bars })),
  };
  return mountComponent(ManagersTable, {
    history,
    context: null,
    replacedBy: null,
    now: sampleNow,
    stale: false,
    kiosk: true,
  }).page;
}

function readHeading(lab: LabStatus): string {
  return mountTable(lab).getByRole('heading', { name: 'Managers' }).parentElement?.textContent ?? '';
}

it('the heading counts managers in maintenance separately', () => {
  const lab = { ...sampleLabStatus('healthy', { data: refused }), maintenance: [maintenance] };
  expect(readHeading(lab)).toContain('5 of 5 healthy, 1 in maintenance');
});

it.each([
  ['healthy', 'Managers6 of 6 healthyIncidents'],
  ['unknown', 'ManagersIncidents'],
] as const)('the heading counts healthy managers only while the state of the lab is known: %s', (state, heading) => {
  expect(readHeading(sampleLabStatus(state))).toBe(heading);
});

it('ManagersTable draws every bar of the history and describes maintenance and unwatched time', async () => {
  const strip = mountTable(sampleLabStatus('healthy')).getByRole('slider', { name: /^Data, / });
  expect(strip.querySelectorAll('rect')).toHaveLength(90);
  expect(strip.getAttribute('aria-valuetext')).toMatch(/ maintenance$/);
  await fireEvent.keyDown(strip, { key: 'ArrowLeft' });
  await nextTick();
  expect(strip.getAttribute('aria-valuetext')).toMatch(/ not watched$/);
});
