/** Whether who asked is still there when the answer comes. */
import { onScopeDispose } from 'vue';

/** Says whether the component is still shown: who closed it meanwhile is elsewhere, and isn't taken away from there. */
export function useStillShown(): () => boolean {
  let shown = true;
  onScopeDispose(() => (shown = false));
  return () => shown;
}
