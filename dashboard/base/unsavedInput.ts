/** Typed text that is lost when the user leaves: Back, a link, a reload and closing the tab ask first. */
import { useEventListener } from '@vueuse/core';
import {
  inject,
  onScopeDispose,
  provide,
  shallowReactive,
  watchEffect,
  type ComputedRef,
  type InjectionKey,
} from 'vue';
import { routerKey } from 'vue-router';

/** The forms with typed text; not in the page's state, because the shell's pages have none. */
const formsWithText = shallowReactive(new Set<symbol>());

export const hasUnsavedInput = (): boolean => formsWithText.size > 0;

/**
 * @param hasInput whether there is text that would be lost
 * @param showQuestion shows the question whether to discard it
 * @param isSending whether the text is being sent, so that leaving requires no answer; the text still keeps its page
 * @returns answers the question, which continues or ends the navigation that it has stopped, if any
 */
export function useUnsavedInput(
  hasInput: () => boolean,
  showQuestion: () => void,
  isSending: () => boolean = () => false,
): (isDiscarded: boolean) => void {
  let resolveLast = (_isDiscarded: boolean): void => undefined;
  const waitForAnswer = (): Promise<boolean> => {
    resolveLast(false);
    showQuestion();
    return new Promise((resolve) => (resolveLast = resolve));
  };
  // The text is gone with its form: a navigation that waits for the answer continues.
  onScopeDispose(() => resolveLast(true));
  const token = Symbol('unsaved input');
  watchEffect(() => {
    if (hasInput()) formsWithText.add(token);
    else formsWithText.delete(token);
  });
  onScopeDispose(() => formsWithText.delete(token));
  // Filters and selections of the same page are not a departure.
  const stop = inject(routerKey, null)?.beforeEach(
    (to, from) => to.path === from.path || !hasInput() || isSending() || waitForAnswer(),
  );
  if (stop !== undefined) onScopeDispose(stop);
  useEventListener(globalThis, 'beforeunload', (event: BeforeUnloadEvent) => {
    if (hasInput() && !isSending()) event.preventDefault();
  });
  return (isDiscarded) => resolveLast(isDiscarded);
}

const objectNoticeKey: InjectionKey<ComputedRef<string | null>> = Symbol('object notice');

/** Shows a text about the page's object, such as its removal, in the dialogs of the page. */
export const provideObjectNotice = (notice: ComputedRef<string | null>): void => provide(objectNoticeKey, notice);
export const useObjectNotice = (): ComputedRef<string | null> | null => inject(objectNoticeKey, null);
