/** Created once: constructing a formatter takes longer than rendering a row. */
const numberFormat = new Intl.NumberFormat('en-US');

/** Formats a number with thousands separators: 12,500. */
export function formatNumber(count: number): string {
  return numberFormat.format(count);
}

/** Formats a count with its noun: `1 event`, `12,500 events`. */
export function plural(count: number, singular: string, pluralForm: string): string {
  return `${formatNumber(count)} ${count === 1 ? singular : pluralForm}`;
}

/** @param maxLength maximum length in characters; a longer text ends with an ellipsis */
export function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Texts that every layer uses. */
export const commonTexts = {
  name: 'Lab Manager',
  tryAgain: 'Try again',
  reload: 'Reload',
  dismiss: 'Dismiss',
  retryNow: 'Retry now',
  close: 'Close',
  unsaved: 'What you typed is not saved.',
  continueEditing: 'Keep editing',
  discard: 'Discard',
  cancel: 'Cancel',
} as const;

/**
 * Returns a function that reports whether a text contains all the words of `search`, in any order and case. An empty
 * search matches every text.
 */
export function wordFilter(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}
