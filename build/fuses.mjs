// @ts-check
/** The runtime's switches that are burnt into the packaged program; every one that there is, stated. */

/**
 * @typedef {object} Fuses
 * @property {boolean} runAsNode the program can't be turned into a plain Node by an environment variable
 * @property {boolean} enableCookieEncryption
 * @property {boolean} enableNodeOptionsEnvironmentVariable
 * @property {boolean} enableNodeCliInspectArguments a debugger of the main process, which the tests drive the app with
 * @property {boolean} enableEmbeddedAsarIntegrityValidation
 * @property {boolean} onlyLoadAppFromAsar
 * @property {boolean} loadBrowserProcessSpecificV8Snapshot
 * @property {boolean} grantFileProtocolExtraPrivileges
 */

/**
 * @param {{ forTests: boolean, platform: NodeJS.Platform }} build the build for the tests differs in one fuse alone
 * @returns {Fuses}
 */
export function fusesOf({ forTests, platform }) {
  return {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: forTests,
    // Linux's runtime has no such check: nothing there holds the archive's hash.
    enableEmbeddedAsarIntegrityValidation: platform !== 'linux',
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  };
}
