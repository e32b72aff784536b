/** State that components share until the page ends. */
import { effectScope, reactive, type Reactive } from 'vue';

const startPage = () => ({ scope: effectScope(true), states: new Map<() => object, object>() });
let page = startPage();

/** Returns a function that returns the page's state, which its first call creates. Effects end with the page. */
export function definePageState<State extends object>(create: () => State): () => Reactive<State> {
  return () => {
    const state = page.states.get(create) ?? reactive(page.scope.run(create) ?? {});
    page.states.set(create, state);
    return state as Reactive<State>;
  };
}

/** Begins a page, as each mounted component of a test does. @returns a function that ends its effects */
export function beginPage(): () => void {
  page = startPage();
  const { scope } = page;
  return () => scope.stop();
}
