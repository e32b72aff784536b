/** Arrow keys, Home and End go from item to item of a menu. */
export function onMenuKey(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next === undefined || items.length === 0) return;
  event.preventDefault();
  event.stopPropagation();
  items[(next + items.length) % items.length]?.focus();
}

/** Goes to the first item of a menu that opens: its overlay stays hidden for a frame or two, and takes no focus then. */
export function focusFirstItem(menu: () => HTMLElement | undefined, tries = 10): void {
  const item = menu()?.querySelector<HTMLElement>('[role="menuitem"]');
  item?.focus({ preventScroll: true });
  if (tries > 0 && (item === undefined || item === null || document.activeElement !== item))
    requestAnimationFrame(() => focusFirstItem(menu, tries - 1));
}
