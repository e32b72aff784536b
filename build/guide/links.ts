/** Links and pictures of the guide's Markdown, as the built pages contain them. */

/** The page of the built guide that replaces docs/settings.md. */
export const settingsPage = 'all-settings';

/** Converts a link target of `file` for the built guide. @throws Error for a target outside the guide */
export function pageLink(target: string, file: string): string {
  if (target.startsWith('#') || /^https?:/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (path === 'README.md') return `index.html${suffix}`;
  if (path === '../settings.md') return `${settingsPage}.html`;
  const page = /^([\w-]+)\.md$/.exec(path)?.[1];
  if (page === undefined) throw new Error(`docs/guide/${file} links to ${target}, which is no page of the guide`);
  return `${page}.html${suffix}`;
}

/** Returns the file name of a picture in docs/screenshots. @throws Error for a picture in another folder */
export function pictureName(target: string, file: string): string {
  const name = /^\.\.\/screenshots\/([\w-]+\.png)$/.exec(target)?.[1];
  if (name === undefined) throw new Error(`docs/guide/${file} shows ${target}, which is not in docs/screenshots`);
  return name;
}
