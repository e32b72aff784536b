/** Serializes a form's entries for browser storage. Files can't be stored and must be chosen again. */
import { isObject } from '#api/client/wire.ts';
import { createItem, type Entries, type Entry, type EntryState } from './entry.ts';

const isEntryState = (value: unknown): value is EntryState =>
  value === 'untouched' || value === 'given' || value === 'none';
function packEntry(entry: Entry): unknown {
  const { state, text, flag, items, files } = entry;
  // Without its files, a file entry is not given.
  return { given: files.length > 0 ? 'untouched' : state, text, flag, items: items.map(packEntry) };
}

/** Packs the entries that were edited or contain a text, such as a default. */
export function packEntries(entries: Entries): unknown {
  const editedEntries = Object.entries(entries).filter(([, entry]) => entry.state !== 'untouched' || entry.text !== '');
  return Object.fromEntries(editedEntries.map(([key, entry]) => [key, packEntry(entry)]));
}

function unpackEntry(stored: unknown): Entry | null {
  if (!isObject(stored) || !isEntryState(stored['given'])) return null;
  const { given: state, text, flag, items } = stored;
  return {
    ...createItem(),
    state,
    text: typeof text === 'string' ? text : '',
    flag: typeof flag === 'boolean' ? flag : null,
    items: Array.isArray(items) ? items.flatMap((item) => unpackEntry(item) ?? []) : [],
  };
}

/** Restores entries; skips invalid ones. */
export function unpackEntries(stored: unknown): Record<string, Entry> {
  if (!isObject(stored)) return {};
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const entry = unpackEntry(value);
      return entry === null ? [] : [[key, entry]];
    }),
  );
}
