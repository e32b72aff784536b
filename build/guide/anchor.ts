/** Returns the link anchor of a heading, as GitHub generates it, so that links work on GitHub and in the app. Pure. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
