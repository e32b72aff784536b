// @ts-check
/** `npm start`: sets up, then opens the app; without a display it runs the same service without the window. */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const serviceOnly = new Set([
  '--help',
  '-h',
  '--version',
  '--check-settings',
  '--doctor',
  '--bundle',
  '--status',
  '--headless',
  '--maintenance',
  '--notify-test',
]);

await command(async () => {
  const args = process.argv.slice(2);
  const asksService = args.some((argument) => serviceOnly.has(argument.replace(/=.*$/s, '')));
  const hasDisplay = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
  if (asksService || !hasDisplay) {
    await prepare({ system: null, runtime: false, build: true });
    if (!asksService) {
      process.stderr.write(
        'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the service without the window.\n',
      );
    }
    const env = { ...process.env, LAB_MANAGER_PROGRAM: 'npm start --' };
    const served = args.filter((argument) => argument !== '--headless');
    return run(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...served], { env });
  }
  const { runtime } = await prepare({ system: 'window', runtime: true, build: true });
  if (!runtime) throw new Error('prepare() was asked for a runtime and gave none');
  // Chromium refuses to start its sandbox as root; nobody but root runs without it.
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return run(runtime.executable, [...sandbox, root, ...args]);
});
