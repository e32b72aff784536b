/** The shell's own pages and where they are served: a scheme of its own, no `file:`. */
export const shellScheme = 'lab-manager';
export const shellOrigin = `${shellScheme}://shell`;
export const shellUrl = `${shellOrigin}/index.html`;

/** Whether `url` is one of the shell's own pages. */
export function isShellUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === `${shellScheme}:` && new URL(url).host === 'shell';
}
