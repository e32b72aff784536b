/** Where menus, hints and dialogs are drawn: the last landmark of the page, so that nothing cuts them off. */

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
