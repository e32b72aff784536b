/**
 * The list of a feed's packages, and its signature. An attacker who controls the feed can replace list and package
 * together, but can't sign the list with the publisher's key. Node's Ed25519, as `openssl pkeyutl -sign -rawin` signs.
 */
import { createPublicKey, verify } from 'node:crypto';
import * as z from 'zod';
import { parseYaml } from '../../api/yamlText.ts';

/** Other fields of a list are ignored. */
const updateList = z.object({
  version: z.string(),
  files: z.array(z.object({ url: z.string(), sha512: z.string(), size: z.int() })).min(1),
});
type UpdateList = z.infer<typeof updateList>;

/** Returns the name of the list in the feed's folder. */
export function listName(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'linux') return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
  return platform === 'darwin' ? 'latest-mac.yml' : 'latest.yml';
}

/** Reads a file of the feed by name; `null` if it doesn't exist. @throws Error with a user-facing message */
export type FeedFile = (name: string) => Promise<Buffer | null>;

/**
 * Reads the list, and parses only the bytes that are signed.
 * @param publicKey an Ed25519 key in base64, as SubjectPublicKeyInfo in DER (RFC 8410); `null` if no signature is
 * required
 * @throws Error with a user-facing message if the list is missing, isn't signed with the key, or lacks required fields
 */
export async function readUpdateList(read: FeedFile, name: string, publicKey: string | null): Promise<UpdateList> {
  const list = await read(name);
  if (list === null) throw new Error(`the feed has no list of versions for this system (${name})`);
  if (publicKey !== null) await verifySignature(list, name, publicKey, read);
  const parsed = updateList.safeParse(parseList(list, name));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    issue?.path.at(-1) === 'sha512'
      ? 'the feed gives no SHA-512 for a package, so it can’t be checked'
      : `${name} is not a list of packages: ${issue?.path.join('.') || 'its content'} is missing or wrong`,
  );
}

function parseList(list: Buffer, name: string): unknown {
  try {
    const { document, toData } = parseYaml(list.toString(), { uniqueKeys: true });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return toData();
  } catch (error) {
    throw new Error(`the feed’s list of versions (${name}) can’t be read: it is not YAML`, { cause: error });
  }
}

async function verifySignature(list: Buffer, name: string, publicKey: string, read: FeedFile): Promise<void> {
  const signature = await read(`${name}.sig`);
  if (signature === null) throw new Error(`the feed has no ${name}.sig, which LAB_UPDATE_PUBLIC_KEY requires`);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  if (!verify(null, list, key, signature))
    throw new Error(
      `${name} is not signed with the key of LAB_UPDATE_PUBLIC_KEY: it was changed, or signed with another key`,
    );
}
