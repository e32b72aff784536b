/**
 * Where menus, hints and dialogs are drawn: the last landmark of the page, so that nothing cuts them off. And what a menu
 * shares with its items and its button.
 */
import type { InjectionKey } from 'vue';

const id = 'overlays';

/** Makes the landmark; `label` is its name for screen readers. Call it once, before the page is drawn. */
export function addOverlayRegion(label: string): void {
  const region = document.createElement('aside');
  region.id = id;
  region.setAttribute('aria-label', label);
  document.body.append(region);
}

/** The landmark, or the whole page where nobody made one. */
export function overlayRegion(): HTMLElement {
  return document.getElementById(id) ?? document.body;
}

/** Whether a menu or a dialog is open: it takes the keys, Escape for instance. Hints take none. */
export function isOverlayOpen(): boolean {
  return overlayRegion().querySelector('[data-overlay]') !== null;
}

/** Whether `element` is drawn in a menu or a dialog. */
export function isInOverlay(element: Element | null): boolean {
  return element?.closest('[data-overlay]') !== null && element !== null;
}

/** Closes the menu that an item is in and gives the focus back to its button. */
export const closeMenuKey: InjectionKey<() => void> = Symbol('close menu');

export interface TriggerSlots {
  /** The button; `trigger` goes on it by `v-bind`. */
  trigger(props: { trigger: Readonly<Record<string, unknown>> }): unknown;
  default(): unknown;
}
