// @ts-check
/** Writes an apt repository of Debian packages with reprepro: a folder for any web server, with a signed index. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SetupError } from '../setup/output.mjs';

const suite = 'stable';

/** Name of the file with the public key, which machines need before they use the repository. */
export const aptKeyFile = 'lab-manager-archive-keyring.asc';

/**
 * Replaces the repository with one that contains only these packages. The previous one remains if a step before the
 * replacement fails.
 * @param {string} directory of the repository @param {readonly string[]} packages
 * @param {string} keyFile a private OpenPGP key without a passphrase, as `gpg --export-secret-keys` writes it
 * @returns {string} the fingerprint of the key
 * @throws SetupError when the key cannot be used, or a package cannot be added
 */
export function writeAptRepository(directory, packages, keyFile) {
  // A temporary folder, because the path of gpg's sockets must be short and the key must be deleted afterwards.
  const work = mkdtempSync(join(tmpdir(), 'apt-'));
  const env = { ...process.env, GNUPGHOME: join(work, 'keys') };
  mkdirSync(dirname(directory), { recursive: true });
  // The new repository is written next to the previous one, so that it can be renamed.
  const next = mkdtempSync(join(dirname(directory), '.apt-'));
  try {
    mkdirSync(env.GNUPGHOME, { mode: 0o700 });
    const fingerprint = importKey(keyFile, env);
    chmodSync(next, 0o755);
    mkdirSync(join(work, 'conf'));
    writeFileSync(join(work, 'conf', 'distributions'), distribution(fingerprint));
    const options = ['--silent', '--basedir', next, '--confdir', join(work, 'conf'), '--dbdir', join(work, 'db')];
    for (const file of packages) execute('reprepro', [...options, 'includedeb', suite, file], env);
    writeFileSync(join(next, aptKeyFile), execute('gpg', ['--batch', '--armor', '--export', fingerprint], env));
    rmSync(directory, { recursive: true, force: true });
    renameSync(next, directory);
    return fingerprint;
  } finally {
    // Stops the agent that gpg started.
    execFileSync('gpgconf', ['--kill', 'all'], { env, stdio: 'ignore' });
    for (const folder of [work, next]) rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} keyFile @param {NodeJS.ProcessEnv} env @returns {string} its fingerprint */
function importKey(keyFile, env) {
  execute('gpg', ['--batch', '--quiet', '--import', keyFile], env);
  const keyListing = execute('gpg', ['--batch', '--with-colons', '--list-secret-keys'], env);
  const fingerprint = /^fpr:{9}([\dA-F]+):/m.exec(keyListing)?.[1];
  if (fingerprint === undefined) throw new SetupError(`APT_SIGNING_KEY: ${keyFile} contains no private key`);
  // Source: doc/DETAILS of GnuPG, the fields of `sec`: validity, and the time at which the key expires.
  const [, validity, expires] = /^sec:(.):(?:[^:]*:){4}(\d*):/m.exec(keyListing) ?? [];
  if (validity === 'e') {
    const day = new Date(Number(expires) * 1000).toISOString().slice(0, 10);
    throw new SetupError(`APT_SIGNING_KEY: the key in ${keyFile} expired on ${day}. Extend it: gpg --quick-set-expire`);
  }
  trySigning(keyFile, fingerprint, env);
  return fingerprint;
}

/** @param {string} keyFile @param {string} fingerprint @param {NodeJS.ProcessEnv} env */
function trySigning(keyFile, fingerprint, env) {
  const unattended = ['--batch', '--pinentry-mode', 'loopback', '--passphrase', ''];
  // gpg deletes the output of a failed signature, so it must not be /dev/null.
  const output = join(env['GNUPGHOME'] ?? '', 'trial.sig');
  const sign = ['--local-user', fingerprint, '--output', output, '--detach-sign', keyFile];
  try {
    execute('gpg', [...unattended, '--yes', ...sign], env);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SetupError(
      /passphrase/i.test(reason)
        ? `APT_SIGNING_KEY: the key in ${keyFile} has a passphrase. Remove it: gpg --change-passphrase, then export it again`
        : `APT_SIGNING_KEY: the key in ${keyFile} can't sign. ${reason}`,
    );
  }
}

/** @param {string} fingerprint */
function distribution(fingerprint) {
  return [
    'Origin: Lab Manager',
    'Label: Lab Manager',
    `Suite: ${suite}`,
    `Codename: ${suite}`,
    'Architectures: amd64 arm64',
    'Components: main',
    'Description: Lab Manager, the lab manager of a MADSci lab',
    `SignWith: ${fingerprint}`,
    '',
  ].join('\n');
}

/** @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {string} its output */
function execute(program, args, env) {
  try {
    return execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new SetupError(`${program} failed: ${reason}`);
  }
}
