import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeUpdateList } from '../../build/package/updateList.mjs';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { listName, readUpdateList } from './updateList.ts';

const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');
const publicKey = ours.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const list = 'version: 2.0.0\nfiles:\n  - url: lab-manager-2.0.0.AppImage\n    sha512: right\n    size: 3\n';
const found = { version: '2.0.0', files: [{ url: 'lab-manager-2.0.0.AppImage', sha512: 'right', size: 3 }] };

/** A feed's folder. @param key the signing key, `null` for no signature */
function folderOf(text: string, key: KeyObject | null, signed = text) {
  const files: Record<string, Buffer> = { 'latest-linux.yml': Buffer.from(text) };
  if (key !== null) files['latest-linux.yml.sig'] = sign(null, Buffer.from(signed), key);
  return (name: string) => Promise.resolve(files[name] ?? null);
}
type Folder = ReturnType<typeof folderOf>;
const readSigned = (folder: Folder) => readUpdateList(folder, 'latest-linux.yml', publicKey);

it('readUpdateList accepts a list signed with the key, and an unsigned one without a configured key', async () => {
  expect(await readSigned(folderOf(list, ours.privateKey))).toEqual(found);
  expect(await readUpdateList(folderOf(list, null), 'latest-linux.yml', null)).toEqual(found);
});

it('readUpdateList uses only the signed bytes when the feed changes meanwhile', async () => {
  const folder = folderOf(list, ours.privateKey);
  let reads = 0;
  const changing: Folder = (name) => {
    reads += name.endsWith('.sig') ? 0 : 1;
    return reads > 1 ? Promise.resolve(Buffer.from(list.replace('right', 'forged'))) : folder(name);
  };
  expect(await readSigned(changing)).toEqual(found);
});

const forged = list.replace('right', 'forged');
it.each<[string, Folder, RegExp]>([
  [
    'does not exist',
    () => Promise.resolve(null),
    /the feed has no list of versions for this system \(latest-linux\.yml\)/,
  ],
  ['has no signature', folderOf(list, null), /the feed has no latest-linux\.yml\.sig/],
  ['is signed with another key', folderOf(list, theirs.privateKey), /is not signed with the key/],
  ['was changed after it was signed', folderOf(forged, ours.privateKey, list), /is not signed with the key/],
  ['has an invalid signature', (name) => Promise.resolve(Buffer.from(name)), /is not signed with the key/],
  ['has another format', folderOf('hello', ours.privateKey), /is no list of packages: its content is missing or wrong/],
  ['is not YAML', folderOf('{{{: not\n\tyaml', ours.privateKey), /can’t be read: it is not YAML/],
  ['names no package', folderOf('version: 2.0.0\nfiles: []\n', ours.privateKey), /no list of packages: files is/],
  [
    'states no size',
    folderOf(list.replace(/ +size.*\n/, ''), ours.privateKey),
    /no list of packages: files\.0\.size is/,
  ],
  ['states no hash', folderOf(list.replace(/ +sha512.*\n/, ''), ours.privateKey), /gives no SHA-512/],
])('readUpdateList rejects a list that %s', async (_name, folder, expected) => {
  await expect(readSigned(folder)).rejects.toThrow(expected);
});

it.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const)('the list for %s, %s has the name that the build writes', async (platform, arch) => {
  const names = ['deb', 'zip', 'exe'].map((type) => `lab-manager_1.2.3_${arch}.${type}`);
  await using folder = await makeTempFolder(Object.fromEntries(names.map((name) => [name, 'a package'])));
  expect(await writeUpdateList(folder.path, '1.2.3', platform, arch)).toBe(join(folder.path, listName(platform, arch)));
});
