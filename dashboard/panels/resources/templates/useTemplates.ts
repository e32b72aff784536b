/** The lab's templates of resources, and how many resources came from each. */
import { computed, type ComputedRef } from 'vue';
import { resourceApi } from '../../../../api/managers/resource.ts';
import type { ResourceTemplate } from '../../../../api/managers/resourceTypes.ts';
import type { Live } from '../../../components/feedback/live.ts';
import { useResources } from '../../../managers/resource/useResources.ts';
import { useManagerQuery } from '../../../managers/transport/poll/managerQuery.ts';

export interface Templates {
  readonly live: Live<readonly ResourceTemplate[]>;
  readonly all: ComputedRef<readonly ResourceTemplate[]>;
  readonly names: ComputedRef<readonly string[]>;
  /** Number of resources in the lab by template. */
  readonly made: ComputedRef<ReadonlyMap<string, number>>;
}

export function useTemplates(): Templates {
  const live = useManagerQuery(resourceApi, 'getTemplates', { polled: 'resourceTemplates' });
  const { index } = useResources();
  const all = computed(() => live.data.value ?? []);
  return {
    live,
    all,
    names: computed(() => all.value.map(({ template_name: name }) => name ?? '')),
    made: computed(() => {
      const counts = new Map<string, number>();
      for (const { template } of index.value.all)
        if (template !== '') counts.set(template, (counts.get(template) ?? 0) + 1);
      return counts;
    }),
  };
}
