import { fireEvent } from '@testing-library/dom';
import { nextTick } from 'vue';
import { expect, it } from 'vitest';
import type { LabHistory, LabStatus } from '#api/lab/lab.ts';
import { respondAsLab } from '../../fixtures/workcellResponses.ts';
import { sampleLabStatus, sampleNow } from '../../fixtures/sampleLabStatus.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import ManagersCard from './ManagersCard.vue';

const until = new Date(sampleNow + 3_600_000).toISOString();
const maintenance = { kind: 'manager' as const, id: 'data', name: 'Data Manager', from: until, until };
const refused = { state: 'unreachable', reason: 'connection refused' } as const;

const bars = [...Array.from({ length: 88 }, () => 'healthy' as const), null, 'maintenance' as const];

function mountCard(lab: LabStatus, { kiosk = true, isExpanded = false } = {}) {
  localStorage.setItem('lab-manager.overview-managers', String(isExpanded));
  respondAsLab();
  const history: LabHistory = {
    ...lab,
    service: { name: 'lab-manager', version: '0.1.0', started: until },
    window_seconds: 7200,
    managers: lab.managers.map((manager) => ({ ...manager, changes: [], bars })),
  };
  return mountComponent(ManagersCard, {
    history,
    context: null,
    replacedBy: null,
    now: sampleNow,
    stale: false,
    kiosk,
  }).page;
}

function readHeading(lab: LabStatus): string {
  return mountCard(lab).getByRole('heading', { name: 'Managers' }).parentElement?.textContent ?? '';
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

it('the table draws every bar of the history and describes maintenance and unwatched time', async () => {
  const strip = await mountCard(sampleLabStatus('degraded', { event: refused })).findByRole('slider', {
    name: /^Data, /,
  });
  expect(strip.querySelectorAll('rect')).toHaveLength(90);
  expect(strip.getAttribute('aria-valuetext')).toMatch(/ maintenance$/);
  await fireEvent.keyDown(strip, { key: 'ArrowLeft' });
  await nextTick();
  expect(strip.getAttribute('aria-valuetext')).toMatch(/ not watched$/);
});

it('the table is one line while all managers are healthy, and can be shown', async () => {
  const page = mountCard(sampleLabStatus('healthy'), { kiosk: false });
  expect(page.queryByRole('table')).toBeNull();
  await fireEvent.click(page.getByRole('button', { name: 'Show all' }));
  expect(await page.findAllByRole('rowheader')).toHaveLength(6);
  await fireEvent.click(page.getByRole('button', { name: 'Hide' }));
  expect(page.queryByRole('table')).toBeNull();
});

it.each([
  ['a manager fails', sampleLabStatus('degraded', { data: refused })],
  ['a manager is in maintenance', { ...sampleLabStatus('healthy'), maintenance: [maintenance] }],
])('the table is shown while %s', async (_case, lab) => {
  const page = mountCard(lab, { kiosk: false });
  expect(await page.findAllByRole('rowheader')).toHaveLength(6);
  expect(page.queryByRole('button', { name: 'Hide' })).toBeNull();
});

it('a wall screen shows only the line of healthy managers', () => {
  expect(mountCard(sampleLabStatus('healthy'), { isExpanded: true }).queryByRole('table')).toBeNull();
});
