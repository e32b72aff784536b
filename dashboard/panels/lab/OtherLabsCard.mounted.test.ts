import { expect, it, vi } from 'vitest';
import type { FleetLab } from '#api/lab/fleet.ts';
import { base } from '../../base/serviceAddress.ts';
import { mountComponent } from '../../fixtures/mounted.ts';
import OtherLabsCard from './OtherLabsCard.vue';

const lab = (name: string, url: string): FleetLab => ({
  url,
  name,
  state: 'healthy',
  since: null,
  reason: null,
  answered: null,
  version: null,
  managers: null,
  nodes: null,
  workflows: null,
  incidents: null,
  safety_stop: null,
  stops_read: false,
});

it('the Lab page links to the dashboards of the other labs in LAB_FLEET', async () => {
  const labs = [lab('Workcell 1', base.href), lab('Workcell 2', 'http://lab-pc:8010/')];
  vi.stubGlobal('fetch', async () => Response.json({ now: new Date().toISOString(), interval_seconds: 15, labs }));
  const { page } = mountComponent(OtherLabsCard);
  expect((await page.findByRole('link', { name: 'Workcell 2' })).getAttribute('href')).toBe('http://lab-pc:8010/');
  expect(page.queryByRole('link', { name: 'Workcell 1' })).toBeNull();
});
