/** Sends the operation of a dialog once, for the resource as it was when the dialog opened. */
import { ref } from 'vue';
import { useIsMounted } from '#dashboard/base/ui.ts';
import type { ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { resourceOperation, type ResourceAction } from './resourceActions.ts';
import { useResourceOperations } from './useResourceOperations.ts';

/** Must be called in the dialog's setup. */
export function useDialogOperation(row: ResourceRow) {
  const { index } = useResources();
  const resourceOperations = useResourceOperations();
  const isMounted = useIsMounted();
  /** The resources when the dialog opened. */
  const snapshot = index.value;
  const busy = ref(false);

  /** @returns whether it succeeded; otherwise the dialog stays open with its input and shows the reason */
  async function perform(verb: string, action: ResourceAction): Promise<boolean> {
    busy.value = true;
    const operation = resourceOperation(resourceOperations, row, snapshot, action);
    const response = await resourceOperations.operate({ verb, row, isCurrent: isMounted, ...operation });
    busy.value = false;
    return response !== null;
  }
  return { index, snapshot, busy, perform };
}
