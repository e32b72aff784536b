/**
 * The service's base address as the page reaches it. Built scripts are in `<base>/assets/`, so their own address gives
 * the base for any path and reverse proxy. A unit test has no location.
 */
export const base: URL = import.meta.env.DEV
  ? new URL('/', globalThis.location?.href ?? import.meta.url)
  : new URL(/* @vite-ignore */ '../', import.meta.url);

/** `context` → the absolute address of the service's `/context`. */
export function serviceAddress(path: string): string {
  return new URL(path, base).href;
}

/** Opens a page of the service in a new tab. */
export function openInNewTab(path: string): void {
  window.open(serviceAddress(path), '_blank', 'noreferrer');
}
