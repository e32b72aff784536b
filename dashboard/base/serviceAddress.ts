/**
 * Where the service is, seen from the page. Built scripts lie in `<base>/assets/`, so their own address tells the base,
 * whatever path the page was opened at and whatever a reverse proxy puts in front. A unit test has no location.
 */
export const base: URL = import.meta.env.DEV
  ? new URL('/', globalThis.location?.href ?? import.meta.url)
  : new URL(/* @vite-ignore */ '../', import.meta.url);

/** `context` → the absolute address of the service's `/context`. */
export function serviceAddress(path: string): string {
  return new URL(path, base).href;
}
