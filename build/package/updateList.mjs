// @ts-check
/**
 * Writes the list that electron-updater reads from a feed, next to the packages that it lists. electron-builder writes
 * it only with a publish target, which only the lab can choose.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'yaml';
import { SetupError } from '../setup/output.mjs';

/** The name of each system's list, and the packages that can update an app. */
const lists = /** @type {const} */ ({
  linux: { name: 'latest-linux.yml', packages: /\.(?:AppImage|deb)$/ },
  win32: { name: 'latest.yml', packages: /\.exe$/ },
  darwin: { name: 'latest-mac.yml', packages: /\.zip$/ },
});

/** The names of architectures other than x64 in the file names of packages. */
const architectures = ['arm64', 'armv7l', 'i386'];

/**
 * @typedef {object} PackageFile
 * @property {string} name
 * @property {string} sha512 in base64
 * @property {number} bytes
 */

/** @param {string} version @param {readonly PackageFile[]} files @param {Date} now */
function formatUpdateList(version, files, now) {
  return stringify({
    version,
    files: files.map(({ name, sha512, bytes }) => ({ url: name, sha512, size: bytes })),
    releaseDate: now.toISOString(),
  });
}

/**
 * Writes the list of a folder's packages of this version.
 * @param {string} directory @param {string} version @param {NodeJS.Platform} [platform] @param {string} [arch]
 * @returns {Promise<string | null>} its path; `null` if there is no such package
 */
export async function writeUpdateList(directory, version, platform = process.platform, arch = process.arch) {
  if (!(platform in lists) || !existsSync(directory)) return null;
  const { name, packages } = lists[/** @type {keyof typeof lists} */ (platform)];
  // Version 1.2.3 must not match 1.2.30 or a suffixed 1.2.3.
  const versionPattern = new RegExp(
    `(?<![\\d.])${version.replaceAll('.', String.raw`\.`)}(?!\\d|\\.\\d|-(?!${arch}\\.))`,
  );
  // On Linux each architecture has a separate list; names of x64 packages mark the architecture in several forms or
  // omit it.
  const otherArchitectures = architectures.filter((architecture) => platform === 'linux' && architecture !== arch);
  const names = readdirSync(directory).filter(
    (file) =>
      packages.test(file) &&
      versionPattern.test(file) &&
      !otherArchitectures.some((otherArchitecture) => file.includes(otherArchitecture)),
  );
  if (names.length === 0) return null;
  const files = await Promise.all(names.toSorted().map((file) => readPackageFile(directory, file)));
  const path = join(directory, platform === 'linux' && arch !== 'x64' ? `latest-linux-${arch}.yml` : name);
  writeFileSync(path, formatUpdateList(version, files, new Date()));
  return path;
}

/**
 * Signs a list for `LAB_UPDATE_PUBLIC_KEY`, as `openssl pkeyutl -sign -rawin` does, and writes the signature next to
 * it.
 * @param {string} list its path @param {string} keyFile an Ed25519 private key in PEM
 * @returns {string} path of the signature
 * @throws {SetupError} for a missing or invalid key
 */
export function signUpdateList(list, keyFile) {
  const key = readPrivateKey(keyFile);
  const path = `${list}.sig`;
  writeFileSync(path, sign(null, readFileSync(list), key));
  return path;
}

/** @param {string} file */
function readPrivateKey(file) {
  const advice = 'openssl genpkey -algorithm ed25519 creates one';
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(`UPDATE_SIGNING_KEY: ${file} can’t be read as a private key (${reason}); ${advice}`);
  }
  throw new SetupError(`UPDATE_SIGNING_KEY: ${file} is not an Ed25519 key; ${advice}`);
}

/** @param {string} directory @param {string} name @returns {Promise<PackageFile>} */
async function readPackageFile(directory, name) {
  const path = join(directory, name);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return { name, sha512: hash.digest('base64'), bytes: statSync(path).size };
}
