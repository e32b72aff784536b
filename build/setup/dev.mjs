// @ts-check
/**
 * `npm run dev`: the headless service, rebuilt and restarted on every change of its code, behind Vite's server
 * for the dashboard. Arguments after -- go to the service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { print } from './output.mjs';
import { watchNpm } from './run.mjs';

/** The delay after the last change, in milliseconds, because editors write a file in several steps. */
const settleMs = 200;

await command(async () => {
  await prepare({ system: [], runtime: false, build: true });
  const { build } = await import('../bundle/program.mjs');
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopped.abort());
  const stopWatching = watchNpm(() => stopped.abort());

  let service = startService();
  let rebuilding = Promise.resolve();
  /** @type {NodeJS.Timeout | undefined} */
  let settleTimer;
  for (const folder of ['api', 'server']) {
    watch(join(root, folder), { recursive: true, signal: stopped.signal }, () => {
      clearTimeout(settleTimer);
      settleTimer = setTimeout(() => (rebuilding = rebuilding.then(rebuild)), settleMs);
    });
  }
  const { createServer } = await import('vite');
  process.env['LAB_DEV_TARGET'] ??= 'http://127.0.0.1:8000';
  const pages = await createServer({ configFile: join(root, 'dashboard', 'vite.config.ts') });
  await pages.listen();
  pages.printUrls();

  await once(stopped.signal, 'abort');
  stopWatching();
  clearTimeout(settleTimer);
  await rebuilding;
  await pages.close();
  await service.stop();
  return 0;

  async function rebuild() {
    try {
      await build(root);
    } catch (error) {
      return print(`The service is not restarted: ${error instanceof Error ? error.message : error}`);
    }
    await service.stop();
    service = startService();
  }
});

/** @returns {{ stop: () => Promise<void> }} */
function startService() {
  const env = { ...process.env, LAB_MANAGER_PROGRAM: 'npm run dev --' };
  const args = [join(root, 'dist', 'server', 'main.js'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const exited = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  return {
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
