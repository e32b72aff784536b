/**
 * The signature of a feed's list. Whoever can change what comes from the feed can change list and package together; they
 * can't sign the list with the key of whoever made the packages. Node's Ed25519, as `openssl pkeyutl -sign -rawin` signs.
 */
import { createPublicKey, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { UpdateInfo } from 'electron-updater';
import { parse } from 'yaml';
import * as z from 'zod';

const signedList = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string(), size: z.int() })),
});

/** Name of the list that electron-updater reads, in the feed's folder. */
export function listName(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'linux') return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
  return platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml';
}

/** Gives a file of the feed, by its name. @throws Error in words */
export type FeedFile = (name: string) => Promise<Buffer>;

/**
 * @param found what electron-updater read from the list: it reads by itself, so what counts must be the same in what was signed
 * @param publicKey an Ed25519 key in base64, as SubjectPublicKeyInfo in DER (RFC 8410)
 * @throws Error in words where the list isn't signed with the key, or says something else
 */
export async function refuseUnsigned(
  found: Pick<UpdateInfo, 'version' | 'files'>,
  name: string,
  publicKey: string,
  read: FeedFile,
): Promise<void> {
  const [list, signature] = await Promise.all([read(name), read(`${name}.sig`)]);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, list, key, signature))
    throw new Error(
      `${name} is not signed with the key of LAB_UPDATE_PUBLIC_KEY: it was changed, or signed with another key`,
    );
  const signed = signedList.safeParse(parse(list.toString()));
  if (!signed.success) throw new Error(`${name} is signed, but it is no list of packages`);
  // Both as the schema has them: whatever else a list says decides nothing.
  if (!isDeepStrictEqual(signed.data, signedList.safeParse(found).data))
    throw new Error(`${name} changed while it was read. Try again`);
}
