// @ts-check
/** Which edition a build is: one on the fallback runtime says so, and is never a release. */

import { SetupError } from '../setup/say.mjs';

/**
 * @param {string} version package.json's
 * @param {{ version: string, isFallback: boolean }} runtime
 * @param {string | undefined} release RELEASE of the environment: `1` for a build that people will get
 * @returns {string} version of the packages
 * @throws SetupError for a release on the fallback runtime
 */
export function editionVersion(version, runtime, release) {
  if (!runtime.isFallback) return version;
  if (release === '1') {
    throw new SetupError(
      `A release is built on the official Electron runtime, and only the fallback (${runtime.version}) can be had here. ` +
        'Make GitHub reachable, or set ELECTRON_MIRROR',
    );
  }
  return `${version}-fallback-runtime`;
}
