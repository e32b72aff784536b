/** Each text once, by its place: the page has the same table, and is only sent what is new in it. Pure. */
export interface TextTable {
  /** 0 for the empty text. */
  readonly placeOf: (text: string) => number;
  /** Those that were added since it was asked last. */
  readonly takeAdded: () => readonly string[];
}

export function createTextTable(): TextTable {
  const places = new Map([['', 0]]);
  let added: string[] = [''];
  return {
    placeOf: (text) => {
      const known = places.get(text);
      if (known !== undefined) return known;
      const place = places.size;
      places.set(text, place);
      added.push(text);
      return place;
    },
    takeAdded: () => {
      const taken = added;
      added = [];
      return taken;
    },
  };
}
