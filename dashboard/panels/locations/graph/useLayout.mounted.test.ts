import { nextTick, shallowRef } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { sampleLocation } from '../../../fixtures/sampleLocation.ts';
import { runInComponent } from '../../../fixtures/mounted.ts';
import { FakeWorker } from '../../../fixtures/fakeWorker.ts';
import { graphModel, type GraphModel } from './graphModel.ts';
import type { LayoutAnswer, LayoutQuestion, Places } from './layout.ts';
import { useLayout } from './useLayout.ts';

afterEach(() => void vi.unstubAllGlobals());

const before: Places = { 'id-of-rack': { x: 1, y: 2 }, 'node arm': { x: 3, y: 4 } };
const moved: Places = { 'id-of-rack': { x: 5, y: 6 }, 'node arm': { x: 7, y: 8 } };
const modelOf = (...names: readonly string[]): GraphModel =>
  graphModel(
    names.map((name) => sampleLocation(name)),
    [{ source: 'id-of-rack', target: 'id-of-bench', nodes: ['arm'], cost: 1 }],
  );

function arranged(first: GraphModel | null) {
  const started = FakeWorker.stub<LayoutQuestion, LayoutAnswer>();
  const model = shallowRef(first);
  const { result, unmount } = runInComponent(() => useLayout(() => model.value));
  const [worker] = started;
  if (worker === undefined) throw new Error('No worker was started');
  return { model, layout: result, worker, unmount };
}

it('useLayout requests no layout before the transfers are known and keeps the previous one', async () => {
  localStorage.setItem('lab-manager.transfer-graph', JSON.stringify(before));
  const { model, layout, worker, unmount } = arranged(null);
  expect(worker.requests).toEqual([]);
  expect(layout.places.value).toEqual(before);
  layout.rearrange();
  expect(worker.requests).toEqual([]);
  unmount();
  expect(worker.isTerminated).toBe(true);
  const again = arranged(null);
  again.model.value = modelOf('rack', 'bench');
  await nextTick();
  expect(again.worker.requests).toMatchObject([{ request: { hubs: ['node arm'], positions: before } }]);
  expect(model.value).toBeNull();
});

it('useLayout applies the response to the latest request', async () => {
  const { model, layout, worker } = arranged(modelOf('rack'));
  model.value = modelOf('rack', 'bench');
  await nextTick();
  const [first, second] = worker.requests;
  worker.respond({ id: first?.id ?? 0, places: before });
  expect(layout.places.value).toEqual({});
  worker.respond({ id: second?.id ?? 0, places: moved });
  expect(layout.places.value).toEqual(moved);
});

it('useLayout arranges again although other data arrived before the response', async () => {
  localStorage.setItem('lab-manager.transfer-graph', JSON.stringify(before));
  const { model, layout, worker } = arranged(modelOf('rack'));
  layout.rearrange();
  model.value = modelOf('rack', 'bench');
  await nextTick();
  expect(worker.requests.map(({ request }) => request.positions)).toEqual([before, {}, {}]);
  worker.respond({ id: worker.requests.at(-1)?.id ?? 0, places: moved });
  model.value = modelOf('rack', 'bench', 'door');
  await nextTick();
  expect(worker.requests.at(-1)?.request.positions).toEqual(moved);
});
