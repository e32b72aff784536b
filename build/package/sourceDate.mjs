// @ts-check
/** The modification time of all files in packages, so that two builds of the same commit are byte-identical. */
import { spawnSync } from 'node:child_process';

/**
 * SOURCE_DATE_EPOCH of the environment, otherwise the time of the commit. Source: reproducible-builds.org/specs/source-date-epoch
 * @param {string} root the project's directory
 * @returns {number | null} seconds since 1970; `null` for sources that are not a git repository
 */
export function sourceDateEpoch(root) {
  const fromEnvironment = process.env['SOURCE_DATE_EPOCH'];
  if (fromEnvironment !== undefined && /^\d+$/.test(fromEnvironment)) return Number(fromEnvironment);
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? Number(stdout) : null;
}
