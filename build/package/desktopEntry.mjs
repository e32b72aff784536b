// @ts-check
/**
 * The package's desktop entry. electron-builder's entry bypasses the launcher, and its configuration rejects another
 * Exec key. Without the launcher, a double click fails where Chromium's sandbox isn't permitted.
 */
import { createRequire } from 'node:module';

const { LinuxTargetHelper } = createRequire(import.meta.url)('app-builder-lib/out/targets/LinuxTargetHelper.js');

/** Makes the packages that this process builds start the launcher. An AppImage still starts its program directly. */
export function startByLauncher() {
  const { prototype } = LinuxTargetHelper;
  const { computeDesktopEntry } = prototype;
  /** @this {{ packager: { appInfo: { sanitizedProductName: string } } }} @param {unknown} options @param {string} [exec] @param {unknown} [extra] */
  prototype.computeDesktopEntry = function compute(options, exec, extra) {
    const launcher = `/opt/${this.packager.appInfo.sanitizedProductName}/launcher.sh %U`;
    return computeDesktopEntry.call(this, options, exec ?? launcher, extra);
  };
}
