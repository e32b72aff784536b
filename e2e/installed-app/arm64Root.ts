/** The libraries of Debian for arm64, which qemu needs to run a program of arm64 on this machine. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir } from '../../build/setup/runtime.mjs';
import { isOnPath } from '../../build/setup/systemPackages.mjs';
import { privateApt } from './privateApt.ts';

const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';

/** Debian's mirrors have the packages of all processors; derivatives have separate mirrors for them. */
export const canRunArm64 = /^ID=debian$/m.test(release) && isOnPath('qemu-aarch64-static');

/** Writes a root file system with only these packages; they are kept in the user's cache. @param root a new directory */
export async function writeArm64Root(root: string, packages: readonly string[]): Promise<void> {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] ?? '';
  const cached = join(cacheDir(), `debian-${codename}-arm64`, packages.join('-'));
  if (!existsSync(cached)) await download(cached, packages);
  mkdirSync(root, { recursive: true });
  for (const name of readdirSync(cached)) execFileSync('dpkg', ['-x', join(cached, name), root]);
}

async function download(to: string, packages: readonly string[]): Promise<void> {
  const apt = privateApt(null, 'arm64');
  try {
    for (const command of [['update'], ['download', ...packages]]) {
      const { code, text } = await apt.run('-q', ...command);
      if (code !== 0) throw new Error(`apt-get ${command.join(' ')} failed:\n${text}`);
    }
    const work = `${to}.tmp-${process.pid}`;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(apt.downloads, work, { recursive: true });
    renameSync(work, to);
  } finally {
    rmSync(apt.folder, { recursive: true, force: true });
  }
}
