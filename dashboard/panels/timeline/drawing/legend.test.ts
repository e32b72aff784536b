import { describe, expect, it } from 'vitest';
import { maintenanceAppearance, managerAppearances, nodeAppearances } from '#api/states.ts';
import { allWorkflowsVisible, sampleLayer } from '#dashboard/fixtures/sampleLayer.ts';
import type { Mark } from '../moments/marks.ts';
import type { Outage } from '../moments/outages.ts';
import { timelineTexts } from '../texts.ts';
import { stackLanes } from './lanes.ts';
import { createLegend, findDrawnElements } from './legend.ts';

const texts = timelineTexts.legendItems;
const layer = sampleLayer([
  { start: 100, end: 200, owner: 0 },
  { start: 300, end: 400, owner: 1, state: 'failed' },
  { start: 500, end: 600, owner: 2, waiting: true },
  { start: 600, end: Infinity, owner: 2, state: 'running' },
]);
const mark: Mark = {
  id: '1',
  at: 150,
  node: null,
  kind: 'stop',
  level: 20,
  appearance: nodeAppearances.stopped,
  text: '',
};
const outage: Outage & { row: number } = {
  name: 'Data Manager',
  node: null,
  isMaintenance: false,
  appearance: managerAppearances.unreachable,
  start: 350,
  end: 380,
  unwatchedMs: 0,
  reason: null,
  row: 0,
};
const maintenance = { ...outage, isMaintenance: true, appearance: maintenanceAppearance, start: 700, end: null };
const now = 1000;
const scene = {
  layer,
  lanes: stackLanes(layer.lanes, layer, { row: 24, padding: 8 }, 1),
  visibleWorkflows: allWorkflowsVisible,
  marks: [mark],
  outages: [outage, maintenance],
  since: null,
  unwatched: [],
};
const labels = (from: number, to: number, change: Partial<typeof scene> | { since: number } = {}) =>
  createLegend('outcome', [], findDrawnElements({ ...scene, ...change }, { from, to }, now)).items.map(
    ({ label }) => label,
  );

describe('the legend of the timeline', () => {
  it('lists only what is drawn in the span', () => {
    expect(labels(0, 250)).toEqual(['Completed', texts.marks.stop]);
    expect(labels(250, 450)).toEqual(['Failed', 'Manager or node not healthy']);
    expect(labels(450, 1000)).toEqual(['Running', 'Waiting', 'Maintenance']);
    expect(labels(0, 250, { since: 50 })).toEqual(['Completed', texts.marks.stop, 'Unknown']);
  });

  it('omits workflows and lanes that are not shown', () => {
    expect(labels(0, 1000, { visibleWorkflows: new Uint8Array(4), marks: [], outages: [] })).toEqual([]);
    expect(labels(0, 1000, { lanes: [] })).toEqual([texts.marks.stop]);
  });

  it('lists the categories and the states that are marked with every colouring', () => {
    const drawn = findDrawnElements(scene, { from: 0, to: 450 }, now);
    const { title, items } = createLegend('workflow', ['Growth curve', 'Warm up'], drawn);
    expect(title).toBe('Legend, coloured by workflow:');
    expect(items.slice(0, 2)).toEqual([
      { label: 'Growth curve', symbol: { kind: 'category', index: 0 } },
      { label: 'Warm up', symbol: { kind: 'category', index: 1 } },
    ]);
    expect(items.slice(2).map(({ label }) => label)).toEqual([
      'Failed',
      texts.marks.stop,
      'Manager or node not healthy',
    ]);
  });
});
