/** The places of the transfer graph, found in a worker and kept in this browser, so that they stay between readings and visits. */
import { useLocalStorage } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import { isObject } from '../../../../api/client/wire.ts';
import type { GraphModel } from './graphModel.ts';
import type { LayoutRequest, Places, Point } from './layout.ts';
import type { LayoutAnswer, LayoutQuestion } from './layoutMessages.ts';

const isPoint = (value: unknown): value is Point =>
  isObject(value) && Number.isFinite(value['x']) && Number.isFinite(value['y']);

/** What the browser kept; nothing of what isn't a place. */
export function readPlaces(text: string): Places {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value)
      ? (Object.fromEntries(Object.entries(value).filter(([, one]) => isPoint(one))) as Places)
      : {};
  } catch {
    return {};
  }
}

export interface GraphLayout {
  readonly places: ComputedRef<Places>;
  /** Why there are none; `null` otherwise. */
  readonly failure: ComputedRef<string | null>;
  /** Forgets where things were. */
  readonly arrangeAnew: () => void;
}

export function useLayout(model: () => GraphModel): GraphLayout {
  const kept = useLocalStorage<Places>(
    'lab-manager.transfer-graph',
    {},
    { serializer: { read: readPlaces, write: JSON.stringify }, shallow: true },
  );
  const failure = shallowRef<string | null>(null);
  const worker = new Worker(new URL('./layoutWorker.ts', import.meta.url), { type: 'module' });
  let asked = 0;
  function ask(places: Places): void {
    const { hubs, hubsOf } = model();
    const request: LayoutRequest = { hubs: hubs.map(({ key }) => key), locations: [...hubsOf], kept: places };
    asked += 1;
    const question: LayoutQuestion = { id: asked, request };
    worker.postMessage(question);
  }
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    // Another question took its place.
    if (data.id !== asked) return;
    failure.value = null;
    kept.value = data.places;
  });
  worker.addEventListener('error', ({ message }) => (failure.value = message));
  onScopeDispose(() => worker.terminate());
  // As text: most readings change nothing of it.
  watch(
    () => JSON.stringify([...model().hubsOf]),
    () => ask(kept.value),
    { immediate: true },
  );
  return { places: computed(() => kept.value), failure: computed(() => failure.value), arrangeAnew: () => ask({}) };
}
