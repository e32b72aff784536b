// @ts-check
/**
 * The package's desktop entry. electron-builder's starts the program itself, past the launcher, and its configuration
 * refuses another Exec key: a double click would end in Chromium where its sandbox is refused.
 */
import { createRequire } from 'node:module';

const { LinuxTargetHelper } = createRequire(import.meta.url)('app-builder-lib/out/targets/LinuxTargetHelper.js');

/** Makes this process's packages start the launcher. An AppImage still starts its program directly. */
export function startByLauncher() {
  const { prototype } = LinuxTargetHelper;
  const { computeDesktopEntry } = prototype;
  /** @this {{ packager: { appInfo: { sanitizedProductName: string } } }} @param {unknown} options @param {string} [exec] @param {unknown} [extra] */
  prototype.computeDesktopEntry = function compute(options, exec, extra) {
    const launcher = `/opt/${this.packager.appInfo.sanitizedProductName}/launcher.sh %U`;
    return computeDesktopEntry.call(this, options, exec ?? launcher, extra);
  };
}
