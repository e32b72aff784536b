/** The text of an object's owner: names where known, else the ends of IDs. */
import { shortId } from '../../base/objectPages.ts';

/** @param field field of MADSci’s ownership: `node_id` @returns the name; empty if unknown */
export type OwnerNameLookup = (field: string, id: string) => string;

const ownerKind = (field: string): string => field.replace(/_id$/, '');

/** Returns `node platereader_1` or `node …ABC123`. */
export function formatOwnerField(field: string, id: string, getOwnerName: OwnerNameLookup): string {
  return `${ownerKind(field)} ${getOwnerName(field, id) || shortId(id)}`;
}

/** Returns all parts of an ownership, such as `node platereader_1, manager ResourceManager`. */
export function formatOwner(owner: Readonly<Record<string, unknown>>, getOwnerName: OwnerNameLookup): string {
  return Object.entries(owner)
    .flatMap(([field, id]) => (typeof id === 'string' && id !== '' ? [formatOwnerField(field, id, getOwnerName)] : []))
    .join(', ');
}
