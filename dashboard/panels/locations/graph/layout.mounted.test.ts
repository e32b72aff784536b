import { nextTick, shallowRef } from 'vue';
import { expect, it } from 'vitest';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { buildGraphModel, type GraphModel, type Positions } from './graphModel.ts';
import { useLayout } from './layout.ts';

const storedPositions: Positions = { 'id-of-rack': { x: 1, y: 2 }, 'node arm': { x: 3, y: 400 } };
const createModel = (...names: readonly string[]): GraphModel =>
  buildGraphModel(
    names.map((name) => sampleLocation(name)),
    [{ source: 'id-of-rack', target: 'id-of-bench', nodes: ['arm'], cost: 1 }],
  );

function startLayout(first: GraphModel | null) {
  localStorage.setItem('lab-manager.transfer-graph', JSON.stringify({ ...storedPositions, invalid: 3 }));
  const model = shallowRef(first);
  const { result } = runInComponent(() => useLayout(() => model.value));
  return { model, layout: result };
}

it('useLayout arranges nothing before the transfers are loaded and keeps the stored positions', async () => {
  const { model, layout } = startLayout(null);
  layout.rearrange();
  expect(layout.positions.value).toEqual(storedPositions);
  model.value = createModel('rack', 'bench');
  await nextTick();
  expect(layout.positions.value).toEqual({ ...storedPositions, 'id-of-bench': expect.anything() });
});

it('useLayout rearranges the whole graph on request and stores the new positions', async () => {
  const { model, layout } = startLayout(createModel('rack', 'bench'));
  await nextTick();
  layout.rearrange();
  await nextTick();
  const rearranged = layout.positions.value;
  expect(rearranged['id-of-rack']).not.toEqual(storedPositions['id-of-rack']);
  model.value = createModel('rack', 'bench', 'door');
  await nextTick();
  expect(layout.positions.value).toMatchObject(rearranged);
  await nextTick();
  expect(JSON.parse(localStorage.getItem('lab-manager.transfer-graph') ?? '')).toEqual(layout.positions.value);
});
