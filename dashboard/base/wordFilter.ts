/** The filter of a search field: every word must be there, in any order and case. */

/** Whether a text has all the words of `search`; made once for a list. An empty search is in every text. */
export function wordFilter(search: string): (text: string) => boolean {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return wanted.every((word) => lower.includes(word));
  };
}
