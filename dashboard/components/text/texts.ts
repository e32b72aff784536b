/** Copying a text. */
export const copyTexts = {
  button: (text: string) => `Copy ${text}`,
  done: 'Copied',
  failed: 'Could not copy: select the text instead',
} as const;
