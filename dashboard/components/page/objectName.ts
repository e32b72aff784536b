/** Names the object that a page or a drawer shows, so that its tab can be told from others. */
import { onScopeDispose, watchEffect } from 'vue';
import { useUi } from '../../base/ui.ts';

/** @param name of the object; `null` while the page is about none */
export function useObjectName(name: () => string | null): void {
  const ui = useUi();
  const before = ui.objectName;
  watchEffect(() => (ui.objectName = name() ?? before));
  // What lies below a drawer is named again when it closes.
  onScopeDispose(() => (ui.objectName = before));
}
