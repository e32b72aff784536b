/**
 * The container of menus, tooltips and dialogs: the last landmark of the page, so that nothing clips them. Also the types
 * that a menu shares with its items and its button.
 */
import type { InjectionKey } from 'vue';

const id = 'overlays';

/** Creates and returns the landmark; `label` is its accessible name. Call it once, before the page is rendered. */
export function addOverlayRegion(label: string): HTMLElement {
  const region = document.createElement('aside');
  region.id = id;
  region.setAttribute('aria-label', label);
  document.body.append(region);
  return region;
}

/** Returns the landmark; `body` if there is none. */
export function getOverlayRegion(): HTMLElement {
  return document.getElementById(id) ?? document.body;
}

/** Returns whether a menu or a dialog is open: it then handles keys such as Escape. Tooltips don't count. */
export function isOverlayOpen(): boolean {
  return getOverlayRegion().querySelector('[data-overlay]') !== null;
}

/** Returns whether `element` is in a menu or a dialog. */
export function isInOverlay(element: Element | null): boolean {
  return element?.closest('[data-overlay]') !== null && element !== null;
}

/** Closes the menu of an item and returns the focus to its button. */
export const closeMenuKey: InjectionKey<() => void> = Symbol('close menu');

export interface TriggerSlots {
  /** The button; bind `trigger` to it with `v-bind`. */
  trigger(props: { trigger: Readonly<Record<string, unknown>> }): unknown;
  default(): unknown;
}
