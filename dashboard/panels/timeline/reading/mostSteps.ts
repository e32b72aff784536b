/** More steps than fit into a page's memory and a frame: the oldest workflows are left out. */
export const mostSteps = 200_000;
