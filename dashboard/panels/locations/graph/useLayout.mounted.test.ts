import { nextTick, shallowRef } from 'vue';
import { expect, it } from 'vitest';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { runInComponent } from '#dashboard/fixtures/mounted.ts';
import { FakeWorker } from '#dashboard/fixtures/fakeWorker.ts';
import { buildGraphModel, type GraphModel } from './graphModel.ts';
import type { WorkerResponse, WorkerRequest, Positions } from './layout.ts';
import { useLayout } from './useLayout.ts';

const storedPositions: Positions = { 'id-of-rack': { x: 1, y: 2 }, 'node arm': { x: 3, y: 4 } };
const newPositions: Positions = { 'id-of-rack': { x: 5, y: 6 }, 'node arm': { x: 7, y: 8 } };
const createModel = (...names: readonly string[]): GraphModel =>
  buildGraphModel(
    names.map((name) => sampleLocation(name)),
    [{ source: 'id-of-rack', target: 'id-of-bench', nodes: ['arm'], cost: 1 }],
  );

function startLayout(first: GraphModel | null) {
  const workers = FakeWorker.stub<WorkerRequest, WorkerResponse>();
  const model = shallowRef(first);
  const { result, unmount } = runInComponent(() => useLayout(() => model.value));
  const [worker] = workers;
  if (worker === undefined) throw new Error('No worker was started');
  return { model, layout: result, worker, unmount };
}

it('useLayout requests no layout before the transfers are loaded and keeps the stored positions', async () => {
  localStorage.setItem('lab-manager.transfer-graph', JSON.stringify(storedPositions));
  const { model, layout, worker, unmount } = startLayout(null);
  expect(worker.requests).toEqual([]);
  expect(layout.positions.value).toEqual(storedPositions);
  layout.rearrange();
  expect(worker.requests).toEqual([]);
  unmount();
  expect(worker.isTerminated).toBe(true);
  const remounted = startLayout(null);
  remounted.model.value = createModel('rack', 'bench');
  await nextTick();
  expect(remounted.worker.requests).toMatchObject([{ request: { hubs: ['node arm'], positions: storedPositions } }]);
  expect(model.value).toBeNull();
});

it('useLayout applies only the response to the latest request', async () => {
  const { model, layout, worker } = startLayout(createModel('rack'));
  model.value = createModel('rack', 'bench');
  await nextTick();
  const [first, second] = worker.requests;
  worker.respond({ id: first?.id ?? 0, positions: storedPositions });
  expect(layout.positions.value).toEqual({});
  worker.respond({ id: second?.id ?? 0, positions: newPositions });
  expect(layout.positions.value).toEqual(newPositions);
});

it('useLayout rearranges the graph even if its data changes before the response arrives', async () => {
  localStorage.setItem('lab-manager.transfer-graph', JSON.stringify(storedPositions));
  const { model, layout, worker } = startLayout(createModel('rack'));
  layout.rearrange();
  model.value = createModel('rack', 'bench');
  await nextTick();
  expect(worker.requests.map(({ request }) => request.positions)).toEqual([storedPositions, {}, {}]);
  worker.respond({ id: worker.requests.at(-1)?.id ?? 0, positions: newPositions });
  model.value = createModel('rack', 'bench', 'door');
  await nextTick();
  expect(worker.requests.at(-1)?.request.positions).toEqual(newPositions);
});
