/** What the page says of itself. */
export const olderPageTexts = {
  another: (version: string) =>
    `The lab manager is another version now than when this page was loaded: ${version}. Reload the page to use it; what you have typed and not sent is lost.`,
} as const;
