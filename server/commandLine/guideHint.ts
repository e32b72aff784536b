/** Where the user guide on this machine explains something, as an address that a browser opens. Pure. */
import { pathToFileURL } from 'node:url';
import { sep } from 'node:path';
import { guideEntries, type GuideEntry } from '../../api/guideEntries.ts';

/** @param folder whole path of the guide's pages */
export function guideAddress(entry: GuideEntry, folder: string): string {
  return new URL(guideEntries[entry], pathToFileURL(`${folder}${sep}`)).href;
}

/** The line below a message: `Help: file:///opt/lab-manager/…/troubleshooting.html#settings`. */
export function guideHint(entry: GuideEntry, folder: string): string {
  return `Help: ${guideAddress(entry, folder)}`;
}
