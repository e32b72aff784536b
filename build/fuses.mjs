// @ts-check
/** The fuses (runtime switches) of the packaged program. Every fuse is listed. */
import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

/**
 * The fuses by name, in the order of the fuse wire. Source: build/fuses/fuses.json5 of Electron, which only appends.
 * The last one is newer than the installed @electron/fuses, which has no name for it.
 */
export const fuseNames = /** @type {const} */ ([
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
]);

/**
 * With this type `fusesFor` fails to compile when an update of @electron/fuses adds a fuse that is missing here.
 *
 * @typedef {Record<(typeof fuseNames)[number] | Uncapitalize<keyof typeof FuseV1Options>, boolean>} Fuses
 */

/**
 * @param {{ isTestBuild: boolean, platform: string }} build the build for tests differs only in one fuse
 * @returns {Fuses}
 */
export function fusesFor({ isTestBuild, platform }) {
  return {
    // Prevents an environment variable from turning the program into plain Node.
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    // The tests control the app through the debugger of the main process.
    enableNodeCliInspectArguments: isTestBuild,
    // The Linux runtime doesn't support this check: no file there stores the archive's hash.
    enableEmbeddedAsarIntegrityValidation: platform !== 'linux',
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
    // Electron's default. Without it, every WebAssembly memory access is bounds-checked. The only WebAssembly is Node's
    // HTTP parser; no page loads any.
    wasmTrapHandlers: true,
  };
}

/** The character in the fuse wire for each fuse state: off, on, or removed from this runtime. */
const states = { off: '0', on: '1', removed: 'r' };

/**
 * Returns the fuses to change in a program's fuse wire. An older runtime has a shorter wire; the missing fuses need no
 * change.
 * @param {readonly string[]} wire the state of each fuse in the program
 * @param {Fuses} expected
 * @param {number} settableCount the number of fuses that @electron/fuses can set
 * @returns {Map<number, boolean>} positions and their new values
 * @throws Error for a fuse that isn't in `fuseNames`, or that must change and can't
 */
export function fuseChanges(wire, expected, settableCount) {
  /** @type {Map<number, boolean>} */
  const changes = new Map();
  for (const [position, state] of wire.entries()) {
    const name = fuseNames[position];
    if (name === undefined) {
      throw new Error(
        `Electron's fuse number ${position + 1} is not listed: add it to build/fuses.mjs (Electron's docs/tutorial/fuses.md describes it)`,
      );
    }
    if (state === states.removed || state === (expected[name] ? states.on : states.off)) continue;
    if (position >= settableCount) {
      throw new Error(`The installed @electron/fuses can't set ${name}, which must be ${expected[name]}: update it`);
    }
    changes.set(position, expected[name]);
  }
  return changes;
}

/**
 * Writes the fuses into a program, and verifies them by reading them again.
 * @param {string} program the executable, on macOS the app's directory
 * @param {Fuses} expected
 */
export async function writeFuses(program, expected) {
  const settableCount = Object.values(FuseV1Options).filter((value) => typeof value === 'number').length;
  const changes = fuseChanges(await readFuseWire(program), expected, settableCount);
  await flipFuses(program, { version: FuseVersion.V1, ...Object.fromEntries(changes) });
  const remaining = fuseChanges(await readFuseWire(program), expected, settableCount);
  if (remaining.size > 0)
    throw new Error(`${program} still has fuses with wrong values: ${[...remaining.keys()].join(', ')}`);
}

/** @param {string} program @returns {Promise<string[]>} the state of each fuse, by position */
export async function readFuseWire(program) {
  const { version, ...wire } = await getCurrentFuseWire(program);
  if (version !== FuseVersion.V1) throw new Error(`${program} has fuses of version ${version}. Expected: version 1`);
  // All remaining keys are the positions of fuses; `resetAdHocDarwinSignature` exists only in the type.
  return Object.values(wire).map((state) => String.fromCharCode(Number(state)));
}
