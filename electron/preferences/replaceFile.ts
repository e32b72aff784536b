/** A small file replaced whole: a reader, or a crash, finds the old text or the new. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws Error of the system when the folder or the disk takes nothing; the old file is as it was */
export function replaceFileSync(path: string, text: string): void {
  const temporary = `${path}.new`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
