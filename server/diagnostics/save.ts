/** Writes the bundle as one ZIP file that only its owner can open; on Windows it has the permissions of its folder. */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import { clock } from '../../api/time/clock.ts';
import { errorCode } from '../../api/errorText.ts';
import { replaceOwnFile } from '../storage/replaceOwnFile.ts';
import { writeFailure } from '../storage/writeAccess.ts';
import type { BundleFile } from './collect.ts';

/** The number of bytes to compress before a pause in which the service can handle other requests. */
const chunkBytes = 256 * 1024;
/** Attributes of a file in a Unix archive: a regular file that only its owner can access. */
const unix = 3;
const ownerOnly = 0o100600 * 0x10000;

/** Creates a ZIP archive of these files. */
async function createZip(files: readonly BundleFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const { name, text } of files) {
    const entry = Object.assign(new ZipDeflate(name, { level: 6 }), {
      mtime: new Date(clock.now()),
      os: unix,
      attrs: ownerOnly,
    });
    zip.add(entry);
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      entry.push(bytes.subarray(start, start + chunkBytes));
      await pause();
    }
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  return Buffer.concat(parts);
}

/**
 * Saves the files as one archive and replaces an existing one atomically.
 * @param path full path of the archive
 * @throws Error with a user-facing message; nothing is written then
 */
export async function saveBundle(path: string, files: readonly BundleFile[]): Promise<void> {
  const bytes = await createZip(files);
  const temporary = join(dirname(path), `.lab-manager-${randomBytes(8).toString('hex')}.part`);
  try {
    await replaceOwnFile(path, bytes, { temporary });
  } catch (error) {
    const reason = errorCode(error) === 'ENOENT' ? 'there is no such folder' : writeFailure(error);
    throw new Error(`The diagnostics can't be saved to ${path}: ${reason}. Choose another folder`, { cause: error });
  }
}
