/** The name of a heading in links, as GitHub makes it, so that a link leads to the same place there and in the app. Pure. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
