/** What the page says of itself. */
export const olderPageTexts = {
  updated: (version: string) =>
    `The lab manager was updated to ${version} since this page was loaded. Reload the page to use the new version; what you have typed and not sent is lost.`,
} as const;
