import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeUpdateList } from '../../build/package/updateList.mjs';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { listName, refuseUnsigned } from './signedList.ts';

const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');
const publicKey = ours.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const list = 'version: 2.0.0\nfiles:\n  - url: lab-manager-2.0.0.AppImage\n    sha512: right\n    size: 3\n';
const found = { version: '2.0.0', files: [{ url: 'lab-manager-2.0.0.AppImage', sha512: 'right', size: 3 }] };

/** A feed's folder. @param key what it is signed with */
function folderOf(text: string, key: KeyObject, signed = text) {
  const files: Record<string, Buffer> = {
    'latest-linux.yml': Buffer.from(text),
    'latest-linux.yml.sig': sign(null, Buffer.from(signed), key),
  };
  return (name: string) => Promise.resolve(files[name] ?? Buffer.alloc(0));
}
const look = (folder: ReturnType<typeof folderOf>, read: typeof found = found) =>
  refuseUnsigned(read, 'latest-linux.yml', publicKey, folder);

it('takes a list that is signed with the key', async () => {
  await expect(look(folderOf(list, ours.privateKey))).resolves.toBeUndefined();
});

const forged = list.replace('right', 'forged');
it.each<[string, ReturnType<typeof folderOf>, RegExp, typeof found?]>([
  ['is signed with another key', folderOf(list, theirs.privateKey), /is not signed with the key/],
  ['was changed since', folderOf(forged, ours.privateKey, list), /is not signed with the key/],
  ['has a signature of nonsense', (name) => Promise.resolve(Buffer.from(name)), /is not signed with the key/],
  ['is something else', folderOf('hello', ours.privateKey), /no list of packages/],
  [
    'names another package than what was read',
    folderOf(list, ours.privateKey),
    /changed while it was read/,
    { version: '2.0.0', files: [{ url: 'lab-manager-2.0.0.AppImage', sha512: 'forged', size: 3 }] },
  ],
  [
    'is of another version',
    folderOf(list, ours.privateKey),
    /changed while it was read/,
    { ...found, version: '3.0.0' },
  ],
])('refuses a list that %s', async (_name, folder, words, read) => {
  await expect(look(folder, read)).rejects.toThrow(words);
});

it.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const)('asks on %s, %s for the list that is written there', async (platform, arch) => {
  const names = ['deb', 'zip', 'exe'].map((type) => `lab-manager_1.2.3_${arch}.${type}`);
  await using folder = await makeTempFolder(Object.fromEntries(names.map((name) => [name, 'a package'])));
  expect(await writeUpdateList(folder.path, '1.2.3', platform, arch)).toBe(
    `${folder.path}/${listName(platform, arch)}`,
  );
});
