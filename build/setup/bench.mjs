// @ts-check
/** `npm run bench`: measures the built program and prints one table. Needs a display for the desktop part. */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

await command(async () => {
  const { runtime } = await prepare({ system: 'tests', runtime: true, build: true });
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, LAB_MANAGER_RUNTIME: runtime?.executable ?? '' };
  if (runtime && process.argv[2] === 'faults') {
    const { packageForTests } = await import('../package/packages.mjs');
    env['LAB_MANAGER_RELEASE_APP'] = (await packageForTests(root, runtime)).releaseApp;
  }
  const bench = [
    join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'),
    join(root, 'bench', 'main.ts'),
    ...process.argv.slice(2),
  ];
  if (process.platform !== 'linux' || process.env['DISPLAY']) return run(process.execPath, bench, { env });
  const screen = ['-a', '-s', '-screen 0 1600x1000x24', 'dbus-run-session', '--', process.execPath, ...bench];
  return run('xvfb-run', screen, { env });
});
