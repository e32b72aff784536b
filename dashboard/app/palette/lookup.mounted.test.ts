import { computed, ref } from 'vue';
import { expect, it } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import type { PaletteEntry, PanelPalette } from '../../panels/panel.ts';
import { useLookup } from './useLookup.ts';

const id = '01K5HDZZCF27YHD2WDGSXFPPKA';
const entry = (title: string): PaletteEntry => ({ key: title, kind: 'Thing', title, choose: '/' });
const requests: string[] = [];
const flushTasks = () => new Promise((resolve) => setTimeout(resolve));

/** A panel whose manager has the objects of `knownEntries`; with `null`, the manager rejects every request. */
function createPalette(knownEntries: Readonly<Record<string, PaletteEntry>> | null): PanelPalette {
  return {
    useEntries: () => computed(() => []),
    useById: () => async (requested) => {
      requests.push(requested);
      if (knownEntries === null) throw new Error('Data Manager cannot be reached');
      return knownEntries[requested] ?? null;
    },
  };
}

it('useLookup requests an ID from every manager, shows the match and names managers that failed', async () => {
  const query = ref('');
  const { result } = runInComponent(() =>
    useLookup([createPalette({ [id]: entry('Assay') }), createPalette({}), createPalette(null)], query),
  );
  query.value = id.toLowerCase();
  await flushTasks();
  expect(result.entries.value.map(({ title }) => title)).toEqual(['Assay']);
  expect(result.failures.value).toEqual(['Data Manager cannot be reached']);
  expect(result.isSearching.value).toBe(false);
});

it('useLookup sends no request for a name, and removes its match when the query is cleared', async () => {
  requests.length = 0;
  const query = ref(id);
  const { result } = runInComponent(() => useLookup([createPalette({ [id]: entry('Assay') })], query));
  query.value = 'assay';
  await flushTasks();
  expect(requests).toEqual([]);
  query.value = id;
  await flushTasks();
  expect(result.entries.value).toHaveLength(1);
  query.value = '';
  await flushTasks();
  expect(result.entries.value).toEqual([]);
});

it('useLookup ignores a late response to an earlier ID', async () => {
  let resolveLookup: (entry: PaletteEntry) => void = () => undefined;
  const slow: PanelPalette = {
    useEntries: () => computed(() => []),
    useById: () => () => new Promise((resolve) => (resolveLookup = resolve)),
  };
  const query = ref('');
  const { result } = runInComponent(() => useLookup([slow], query));
  query.value = id;
  await flushTasks();
  expect(result.isSearching.value).toBe(true);
  query.value = 'assay';
  await flushTasks();
  resolveLookup(entry('Assay'));
  await flushTasks();
  expect(result.entries.value).toEqual([]);
  expect(result.isSearching.value).toBe(false);
});
