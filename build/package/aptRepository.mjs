// @ts-check
/** An apt repository of Debian packages: a folder for any web server, its index signed. Written by reprepro. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from '../setup/output.mjs';

const suite = 'stable';

/** Name of the key's file, which machines need before they use the repository. */
export const aptKeyFile = 'lab-manager-archive-keyring.asc';

/**
 * Replaces the repository by one with only these packages.
 * @param {string} directory of the repository @param {readonly string[]} packages
 * @param {string} keyFile a private OpenPGP key without a passphrase, as `gpg --export-secret-keys` writes it
 * @throws SetupError when the key cannot be used, or a package not be added
 */
export function writeAptRepository(directory, packages, keyFile) {
  // A temporary folder, because the path of gpg's sockets must be short and the key must be deleted afterwards.
  const work = mkdtempSync(join(tmpdir(), 'apt-'));
  const env = { ...process.env, GNUPGHOME: join(work, 'keys') };
  try {
    mkdirSync(env.GNUPGHOME, { mode: 0o700 });
    const fingerprint = importKey(keyFile, env);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    mkdirSync(join(work, 'conf'));
    writeFileSync(join(work, 'conf', 'distributions'), distribution(fingerprint));
    const reprepro = ['--silent', '--basedir', directory, '--confdir', join(work, 'conf'), '--dbdir', join(work, 'db')];
    for (const file of packages) execute('reprepro', [...reprepro, 'includedeb', suite, file], env);
    writeFileSync(join(directory, aptKeyFile), execute('gpg', ['--batch', '--armor', '--export', fingerprint], env));
  } finally {
    // Stops the agent that gpg has started.
    execFileSync('gpgconf', ['--kill', 'all'], { env, stdio: 'ignore' });
    rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} keyFile @param {NodeJS.ProcessEnv} env @returns {string} its fingerprint */
function importKey(keyFile, env) {
  execute('gpg', ['--batch', '--quiet', '--import', keyFile], env);
  const listed = execute('gpg', ['--batch', '--with-colons', '--list-secret-keys'], env);
  const fingerprint = /^fpr:{9}([\dA-F]+):/m.exec(listed)?.[1];
  if (fingerprint === undefined) throw new SetupError(`APT_SIGNING_KEY: ${keyFile} holds no private key`);
  return fingerprint;
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

/** @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {string} what it prints */
function execute(program, args, env) {
  try {
    return execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new SetupError(`${program} failed: ${reason}`);
  }
}
