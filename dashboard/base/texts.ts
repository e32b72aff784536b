/** @param maxLength in characters; a longer text is cut to it, followed by an ellipsis */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Texts that several layers use. */
export const commonTexts = {
  appName: 'Lab Manager',
  tryAgain: 'Try again',
  reload: 'Reload',
  dismiss: 'Dismiss',
  retryNow: 'Retry now',
  close: 'Close',
  unsaved: 'What you entered is not saved.',
  continueEditing: 'Keep editing',
  discard: 'Discard',
  cancel: 'Cancel',
} as const;

/** Returns the words of a search, in lower case. */
export function searchTerms(search: string): readonly string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * Returns a function that reports whether a text contains all the words of `search`, in any order and case. An empty
 * search matches every text.
 */
export function wordFilter(search: string): (text: string) => boolean {
  const words = searchTerms(search);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/** Compares numbers inside texts as numbers: step 2 before step 10. */
export const naturalOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
