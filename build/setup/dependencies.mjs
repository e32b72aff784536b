// @ts-check
/** Runs `npm ci` whenever node_modules differs from the lock file. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';
import { announce, SetupError } from './output.mjs';

/** @param {string} root the project's directory */
export async function ensureDependencies(root) {
  const stamp = join(root, 'node_modules', '.lab-manager-lock');
  const expectedStamp = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expectedStamp) return;
  await announce('Installing dependencies from the lock file (npm ci)', async () => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const code = await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, quiet: true });
    if (code !== 0) {
      throw new SetupError('npm ci failed (see above). Check that the npm registry can be reached: npm ping');
    }
  });
  writeFileSync(stamp, expectedStamp);
}
