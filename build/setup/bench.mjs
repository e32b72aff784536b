// @ts-check
/**
 * `npm run bench`: measures the built program and the packaged app, and prints one table. Needs a display for the app.
 */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

await command(async () => {
  const groups = process.argv.slice(2);
  const isGuard = groups[0] === 'guard';
  const system = isGuard ? [] : /** @type {const} */ (['window', 'screen', 'browser']);
  const { runtime } = await prepare({ system, runtime: true, build: true });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const needsApp =
    process.platform === 'linux' && (groups.length === 0 || ['desktop', 'faults'].includes(groups[0] ?? ''));
  const { packageForBench } = await import('../package/packages.mjs');
  const releaseApp = needsApp ? await packageForBench(root, runtime) : '';
  const env = { ...process.env, LAB_MANAGER_RUNTIME: runtime.executable, LAB_MANAGER_RELEASE_APP: releaseApp };
  const bench = [join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs'), join(root, 'bench', 'main.ts'), ...groups];
  if (isGuard || process.platform !== 'linux' || process.env['DISPLAY']) return run(process.execPath, bench, { env });
  const screen = ['-a', '-s', '-screen 0 1600x1000x24', 'dbus-run-session', '--', process.execPath, ...bench];
  return run('xvfb-run', screen, { env });
});
