import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeUpdateList } from '../../build/package/updateList.mjs';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { listName, readUpdateList } from './updateList.ts';

const ownKeys = generateKeyPairSync('ed25519');
const otherKeys = generateKeyPairSync('ed25519');
const publicKey = ownKeys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const list = 'version: 2.0.0\nfiles:\n  - url: lab-manager-2.0.0.AppImage\n    sha512: right\n    size: 3\n';
const parsedList = { version: '2.0.0', files: [{ url: 'lab-manager-2.0.0.AppImage', sha512: 'right', size: 3 }] };

/** A feed's folder. @param key the signing key, `null` for no signature */
function createFolder(text: string, key: KeyObject | null, signed = text) {
  const files: Record<string, Buffer> = { 'latest-linux.yml': Buffer.from(text) };
  if (key !== null) files['latest-linux.yml.sig'] = sign(null, Buffer.from(signed), key);
  return (name: string) => Promise.resolve(files[name] ?? null);
}
type Folder = ReturnType<typeof createFolder>;
const readSigned = (folder: Folder) => readUpdateList(folder, 'latest-linux.yml', publicKey);

it('readUpdateList accepts a list signed with the key, and an unsigned one without a configured key', async () => {
  expect(await readSigned(createFolder(list, ownKeys.privateKey))).toEqual(parsedList);
  expect(await readUpdateList(createFolder(list, null), 'latest-linux.yml', null)).toEqual(parsedList);
});

it('readUpdateList uses only the signed bytes when the feed changes meanwhile', async () => {
  const folder = createFolder(list, ownKeys.privateKey);
  let reads = 0;
  const readChanging: Folder = (name) => {
    reads += name.endsWith('.sig') ? 0 : 1;
    return reads > 1 ? Promise.resolve(Buffer.from(list.replace('right', 'forged'))) : folder(name);
  };
  expect(await readSigned(readChanging)).toEqual(parsedList);
});

const forged = list.replace('right', 'forged');
it.each<[string, Folder, RegExp]>([
  [
    'does not exist',
    () => Promise.resolve(null),
    /the feed has no list of versions for this system \(latest-linux\.yml\)/,
  ],
  ['has no signature', createFolder(list, null), /the feed has no latest-linux\.yml\.sig/],
  ['is signed with another key', createFolder(list, otherKeys.privateKey), /is not signed with the key/],
  ['was changed after it was signed', createFolder(forged, ownKeys.privateKey, list), /is not signed with the key/],
  ['has an invalid signature', (name) => Promise.resolve(Buffer.from(name)), /is not signed with the key/],
  [
    'has another format',
    createFolder('hello', ownKeys.privateKey),
    /is not a list of packages: its content is missing or wrong/,
  ],
  ['is not YAML', createFolder('{{{: not\n\tyaml', ownKeys.privateKey), /can’t be read: it is not YAML/],
  [
    'names no package',
    createFolder('version: 2.0.0\nfiles: []\n', ownKeys.privateKey),
    /not a list of packages: files is/,
  ],
  [
    'states no size',
    createFolder(list.replace(/ +size.*\n/, ''), ownKeys.privateKey),
    /not a list of packages: files\.0\.size is/,
  ],
  ['states no hash', createFolder(list.replace(/ +sha512.*\n/, ''), ownKeys.privateKey), /gives no SHA-512/],
])('readUpdateList rejects a list that %s', async (_name, folder, expected) => {
  await expect(readSigned(folder)).rejects.toThrow(expected);
});

it.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const)('listName for %s, %s is the name that the build writes', async (platform, arch) => {
  const names = ['deb', 'zip', 'exe'].map((type) => `lab-manager_1.2.3_${arch}.${type}`);
  await using folder = await makeTempFolder(Object.fromEntries(names.map((name) => [name, 'a package'])));
  expect(await writeUpdateList(folder.path, '1.2.3', platform, arch)).toBe(join(folder.path, listName(platform, arch)));
});
