/** What a menu and its items tell each other. */
import type { InjectionKey } from 'vue';

/** Closes the menu that an item is in and gives the focus back to its button. */
export const closeMenuKey: InjectionKey<() => void> = Symbol('close menu');
