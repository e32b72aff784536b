/** What a menu and its items tell each other, and the slots of a button that opens something below it. */
import type { InjectionKey } from 'vue';

/** Closes the menu that an item is in and gives the focus back to its button. */
export const closeMenuKey: InjectionKey<() => void> = Symbol('close menu');

export interface TriggerSlots {
  /** The button; `trigger` goes on it by `v-bind`. */
  trigger(props: { trigger: Readonly<Record<string, unknown>> }): unknown;
  default(): unknown;
}
