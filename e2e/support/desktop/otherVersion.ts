/** Gives an unpacked app another version, by which a test identifies the files that a process runs. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Versions {
  readonly changed: string;
  readonly original: string;
}

/** @param app folder of the app. The length of the version stays the same, because the archive contains offsets */
export function changeVersion(app: string): Versions {
  const file = join(app, 'resources', 'app.asar');
  const archive = readFileSync(file, 'latin1');
  const [field, original] = /"version": "(\d[^"]*)"/.exec(archive) ?? [];
  if (field === undefined || original === undefined) throw new Error(`${file} contains no version`);
  const changed = original.replace(/^\d/, (major) => (major === '9' ? '8' : '9'));
  // A new file, because the old one may be linked to the package that other tests use.
  writeFileSync(`${file}.changed`, archive.replace(field, field.replace(original, changed)), 'latin1');
  renameSync(`${file}.changed`, file);
  return { changed, original };
}
