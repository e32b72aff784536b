/** Whom something belongs to, in words: names where they are known, else the ends of IDs. Pure. */
import { shortId } from '../../base/objectPages.ts';

/** @param field of MADSci’s ownership: `node_id` @returns the name; empty where it is unknown */
export type NameOfOwner = (field: string, id: string) => string;

const kindOf = (field: string): string => field.replace(/_id$/, '');

/** `node platereader_1` or `node …ABC123`. */
export function ownerPart(field: string, id: string, nameOf: NameOfOwner): string {
  return `${kindOf(field)} ${nameOf(field, id) || shortId(id)}`;
}

/** All parts of an ownership, such as `node platereader_1, manager ResourceManager`. */
export function ownerText(owner: Readonly<Record<string, unknown>>, nameOf: NameOfOwner): string {
  return Object.entries(owner)
    .flatMap(([field, id]) => (typeof id === 'string' && id !== '' ? [ownerPart(field, id, nameOf)] : []))
    .join(', ');
}
