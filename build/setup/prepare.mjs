// @ts-check
/** Prepares everything that a command needs: dependencies, runtime, system packages, the built program. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { run } from './run.mjs';
import { ensureRuntime } from './runtime.mjs';
import { SetupError } from './output.mjs';
import { ensureSystemPackages } from './systemPackages.mjs';

export const root = resolve(import.meta.dirname, '../..');

const minNodeVersion = /** @type {const} */ ([20, 19]);

/**
 * @param {object} needs
 * @param {readonly import('./systemPackages.mjs').Use[]} needs.system
 * @param {boolean} needs.runtime
 * @param {boolean} needs.build
 */
export async function prepare(needs) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < minNodeVersion[0] || (major === minNodeVersion[0] && minor < minNodeVersion[1])) {
    throw new SetupError(`Node ${minNodeVersion.join('.')} or newer is needed; this is ${process.versions.node}`);
  }
  const prepareProgram = async () => {
    await ensureDependencies(root);
    const [runtime] = await Promise.all([needs.runtime ? ensureRuntime(root) : null, needs.build ? build() : null]);
    return runtime;
  };
  // Downloads mostly wait, so the system packages, the runtime and the build do not wait for each other.
  const [runtime] = await Promise.all([prepareProgram(), ensureSystemPackages(needs.system)]);
  return { runtime };
}

async function build() {
  const { buildStale } = await import(pathToFileURL(join(root, 'build', 'bundle', 'buildStale.mjs')).href);
  await buildStale(root);
}

/**
 * Builds one of the project's programs if needed and runs it with the command's arguments.
 * @param {'demo' | 'server'} name @param {NodeJS.ProcessEnv} [env]
 */
export async function runBuilt(name, env = process.env) {
  await prepare({ system: [], runtime: false, build: true });
  return run(process.execPath, [join(root, 'dist', name, 'main.js'), ...process.argv.slice(2)], { env });
}

/**
 * Runs the steps of a command. A SetupError ends it with a message instead of a stack trace.
 * @param {() => Promise<number>} steps resolves with the exit code
 */
export async function command(steps) {
  try {
    process.exitCode = await steps();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
