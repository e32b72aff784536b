/**
 * Computes the node and location positions in the transfer graph in a worker and stores them in this browser, so that
 * they are stable across polls and visits.
 */
import { useLocalStorage } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import { isObject } from '#api/client/wire.ts';
import type { GraphModel } from './graphModel.ts';
import type { LayoutRequest, Positions, Point, WorkerRequest, WorkerResponse } from './layout.ts';

const isPoint = (value: unknown): value is Point =>
  isObject(value) && Number.isFinite(value['x']) && Number.isFinite(value['y']);

/** Parses the stored positions; ignores invalid entries. */
function parsePositions(text: string): Positions {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value)
      ? (Object.fromEntries(Object.entries(value).filter(([, position]) => isPoint(position))) as Positions)
      : {};
  } catch {
    return {};
  }
}

interface GraphLayout {
  readonly positions: ComputedRef<Positions>;
  /** Reason why no layout is available; `null` otherwise. */
  readonly failure: ComputedRef<string | null>;
  /** Discards the stored positions and starts a new layout. */
  readonly rearrange: () => void;
}

/** @param model `null` until it is loaded: a layout without its hubs would change every position */
export function useLayout(model: () => GraphModel | null): GraphLayout {
  /** The node and location positions in the transfer graph, by key. */
  const savedPositions = useLocalStorage<Positions>(
    'lab-manager.transfer-graph',
    {},
    { serializer: { read: parsePositions, write: JSON.stringify }, shallow: true },
  );
  const failure = shallowRef<string | null>(null);
  const worker = new Worker(new URL('./layoutWorker.ts', import.meta.url), { type: 'module' });
  let requestCount = 0;
  /** True until the reset is complete: a poll in between must not restore the old positions. */
  let isResetting = false;
  function requestLayout(): void {
    const graph = model();
    if (graph === null) return;
    const hubs = graph.hubs.map(({ key }) => key);
    const request: LayoutRequest = {
      hubs,
      locations: [...graph.hubsByLocation],
      positions: isResetting ? {} : savedPositions.value,
    };
    requestCount += 1;
    const message: WorkerRequest = { id: requestCount, request };
    worker.postMessage(message);
  }
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerResponse>) => {
    // A newer request has replaced this one.
    if (data.id !== requestCount) return;
    isResetting = false;
    failure.value = null;
    savedPositions.value = data.positions;
  });
  worker.addEventListener('error', ({ message }) => (failure.value = message));
  onScopeDispose(() => worker.terminate());
  // Compared as text, because most polls do not change it.
  watch(
    () => {
      const graph = model();
      return graph === null ? null : JSON.stringify([graph.hubs.map(({ key }) => key), ...graph.hubsByLocation]);
    },
    requestLayout,
    { immediate: true },
  );
  function rearrange(): void {
    isResetting = true;
    requestLayout();
  }
  return {
    positions: computed(() => savedPositions.value),
    failure: computed(() => failure.value),
    rearrange,
  };
}
