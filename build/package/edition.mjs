// @ts-check
/**
 * Determines the edition of a build. The version of a build with an unofficial runtime contains the name of the
 * runtime, and such a build is never a release.
 */

import { SetupError } from '../setup/output.mjs';

/**
 * @param {string} version package.json's
 * @param {Pick<import('../setup/runtime.mjs').Runtime, 'version' | 'origin'>} runtime
 * @param {string | undefined} release RELEASE of the environment: `1` for a build that is published
 * @returns {string} version of the packages
 * @throws SetupError for a release on another runtime than the official one
 */
export function editionVersion(version, runtime, release) {
  switch (runtime.origin) {
    case 'official':
      return version;
    case 'fallback':
      if (release !== '1') return `${version}-fallback-runtime`;
      throw new SetupError(
        `A release is built on the official Electron runtime, and only the fallback (${runtime.version}) is available here. ` +
          'Make GitHub reachable, or set ELECTRON_MIRROR',
      );
    case 'own':
      if (release !== '1') return `${version}-own-runtime`;
      throw new SetupError(
        `A release is built on the official Electron runtime, whose checksum is known, not on the one (${runtime.version}) ` +
          'that ELECTRON_OVERRIDE_DIST_PATH names: unset it',
      );
  }
}
