import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { signUpdateList, writeUpdateList } from './updateList.mjs';

it('the update list names the packages of this version and system with their hashes', async () => {
  await using folder = await makeTempFolder({
    'lab-manager_1.2.3_amd64.deb': 'a package',
    'Lab Manager-1.2.3.AppImage': 'an image',
    'Lab Manager Setup 1.2.3.exe': 'of another system',
    'lab-manager_1.2.2_amd64.deb': 'an older one',
    'lab-manager_1.2.30_amd64.deb': 'a later one',
    'lab-manager_1.2.3-fallback-runtime_amd64.deb': 'another edition',
    'lab-manager_1.2.3_arm64.deb': 'for another processor',
    'builder-debug.yml': 'none',
  });
  const path = await writeUpdateList(folder.path, '1.2.3', 'linux', 'x64');
  expect(basename(path ?? '')).toBe('latest-linux.yml');
  const sha512 = (text: string) => createHash('sha512').update(text).digest('base64');
  expect(parse(await readFile(path ?? '', 'utf8'))).toEqual({
    version: '1.2.3',
    files: [
      { url: 'Lab Manager-1.2.3.AppImage', sha512: sha512('an image'), size: 8 },
      { url: 'lab-manager_1.2.3_amd64.deb', sha512: sha512('a package'), size: 9 },
    ],
    releaseDate: expect.any(String),
  });
});

it('the update list of another Linux processor is a separate file', async () => {
  await using folder = await makeTempFolder({
    'lab-manager_1.2.3_arm64.deb': 'a package',
    'lab-manager-1.2.3-arm64.AppImage': 'an image',
  });
  const path = await writeUpdateList(folder.path, '1.2.3', 'linux', 'arm64');
  expect(basename(path ?? '')).toBe('latest-linux-arm64.yml');
  expect(parse(await readFile(path ?? '', 'utf8'))).toMatchObject({
    files: [{ url: 'lab-manager-1.2.3-arm64.AppImage' }, { url: 'lab-manager_1.2.3_arm64.deb' }],
  });
  expect(await writeUpdateList(folder.path, '1.2.3', 'linux', 'x64')).toBeNull();
});

it('no update list is written without a package of this version and system', async () => {
  await using folder = await makeTempFolder({ 'lab-manager_1.2.2_amd64.deb': 'an older one' });
  expect(await writeUpdateList(folder.path, '1.2.3', 'linux')).toBeNull();
  expect(await writeUpdateList(folder.path, '1.2.2', 'aix')).toBeNull();
});

it('signUpdateList signs with a PEM private key and rejects other keys', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const otherKey = generateKeyPairSync('x25519').privateKey;
  await using folder = await makeTempFolder({
    'latest-linux.yml': 'version: 1.2.3\n',
    'key.pem': String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    'other.pem': String(otherKey.export({ format: 'pem', type: 'pkcs8' })),
    'text.pem': 'no key',
  });
  const list = join(folder.path, 'latest-linux.yml');
  const signature = signUpdateList(list, join(folder.path, 'key.pem'));
  expect(basename(signature)).toBe('latest-linux.yml.sig');
  expect(verify(null, await readFile(list), publicKey, await readFile(signature))).toBe(true);
  expect(() => signUpdateList(list, join(folder.path, 'other.pem'))).toThrow(/is not an Ed25519 key/);
  expect(() => signUpdateList(list, join(folder.path, 'text.pem'))).toThrow(/can’t be read as a private key/);
  expect(() => signUpdateList(list, join(folder.path, 'gone.pem'))).toThrow(/ENOENT/);
});
