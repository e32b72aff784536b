/** Sends the operation of a dialog once, for the resource as it was when the dialog opened. */
import { ref } from 'vue';
import { useStillShown } from '../../../base/ui.ts';
import type { ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { useResources } from '../../../managers/resource/useResources.ts';
import { resourceOperation, type ResourceAction } from './resourceActions.ts';
import { useOperate } from './useOperate.ts';

/** Must be called in the dialog's setup. */
export function useDialogOperation(row: ResourceRow) {
  const { index } = useResources();
  const operating = useOperate();
  const isShown = useStillShown();
  /** As it was when the dialog was opened. */
  const shown = index.value;
  const busy = ref(false);

  async function perform(verb: string, action: ResourceAction): Promise<void> {
    busy.value = true;
    const operation = resourceOperation(operating, row, shown, action);
    await operating.operate({ verb, row, isCurrent: isShown, ...operation });
    busy.value = false;
  }
  return { index, shown, busy, perform };
}
