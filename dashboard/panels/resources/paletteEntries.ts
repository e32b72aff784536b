/** What the command palette finds of resources, by name, ID, class and barcode; read when the palette is first opened. */
import { computed, type ComputedRef } from 'vue';
import { stockLooks } from '../../../api/states.ts';
import { resourcePage } from '../../base/objectPages.ts';
import { amountOf } from '../../managers/resource/amount.ts';
import type { ResourceIndex } from '../../managers/resource/resourceIndex.ts';
import { useResourcesBeside } from '../../managers/resource/useResources.ts';
import type { PaletteEntry } from '../panel.ts';
import { useWantedOnce } from '../useWantedOnce.ts';
import { codesOf } from './codes.ts';
import { resourceTitles } from './titles.ts';

const kind = 'Resource';
const pages: readonly PaletteEntry[] = [
  { key: 'resource import', kind: 'Page', title: resourceTitles.import, choose: { name: 'resource-import' } },
  { key: 'resource templates', kind: 'Page', title: resourceTitles.templates, choose: { name: 'resource-templates' } },
];

export function useResourceEntries(asked: () => boolean): ComputedRef<readonly PaletteEntry[]> {
  const wanted = useWantedOnce(asked);
  const { index } = useResourcesBeside(() => wanted.value);
  return computed(() => [...pages, ...resourceEntries(index.value)]);
}

export function resourceEntries(index: ResourceIndex): readonly PaletteEntry[] {
  return index.all.map((row) => {
    const state = amountOf(row)?.state;
    const path = index.pathOf(row).map(({ name }) => name);
    return {
      key: `resource ${row.id}`,
      kind,
      title: row.name,
      also: [row.id, row.cls, ...codesOf(row)],
      ...(path.length === 0 ? {} : { sub: path.join(' / ') }),
      ...(state === 'low' || state === 'out' ? { look: stockLooks[state] } : {}),
      choose: resourcePage(row.id),
    };
  });
}
