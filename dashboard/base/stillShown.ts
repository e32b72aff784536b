/** For what goes on after an answer: by then somebody may have cancelled the dialog, or gone to another page. */
import { onScopeDispose } from 'vue';

/** @returns whether the component that asked is still on the page; to be called while it is set up */
export function useStillShown(): () => boolean {
  let isShown = true;
  onScopeDispose(() => (isShown = false));
  return () => isShown;
}
