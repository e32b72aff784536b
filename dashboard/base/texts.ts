/** Made once: making one takes longer than the rest of drawing a line. */
const format = new Intl.NumberFormat('en-US');

/** A number as people read it: 12,500. */
export function figure(count: number): string {
  return format.format(count);
}

/** A number with the word for what it counts: `1 event`, `12,500 events`. */
export function plural(count: number, one: string, more: string): string {
  return `${figure(count)} ${count === 1 ? one : more}`;
}

/** @param longest in letters; what is longer ends with an ellipsis */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Words that every layer uses. */
export const commonTexts = {
  name: 'Lab Manager',
  tryAgain: 'Try again',
  reload: 'Reload',
  dismiss: 'Dismiss',
  retryNow: 'Retry now',
  close: 'Close',
  cancel: 'Cancel',
} as const;

/** The filter of a search field: every word must be there, in any order and case. */

/** Whether a text has all the words of `search`; made once for a list. An empty search is in every text. */
export function wordFilter(search: string): (text: string) => boolean {
  const requested = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return requested.every((word) => lower.includes(word));
  };
}
