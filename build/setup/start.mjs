// @ts-check
/** `npm start`: sets up, then opens the app. Without a display, it runs the same service headless. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';
import { ensureSandbox, sandboxText } from './sandbox.mjs';

await command(async () => {
  const args = process.argv.slice(2);
  await prepare({ system: [], runtime: false, build: true });
  if (await needsNoWindow(args)) return serve(args);
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    process.stderr.write(
      'There is no display here (DISPLAY and WAYLAND_DISPLAY are not set): running the service without the window.\n',
    );
    return serve(args);
  }
  const { runtime } = await prepare({ system: ['window'], runtime: true, build: false });
  if (!runtime) throw new Error('prepare() returned no runtime');
  const sandbox = ensureSandbox(runtime.dist);
  if (sandbox.switches.length === 0 && sandbox.kind === 'none') {
    const text = sandboxText(sandbox);
    process.stderr.write(`\n${text}\nRunning the service without the window until then.\n`);
    await serve(args);
    process.stderr.write(`\nThe window was not opened. ${text}`);
    return 1;
  }
  // The runtime chooses X11 by default, and crashes without an X server.
  const platform = process.platform === 'linux' && !process.env['DISPLAY'] ? ['--ozone-platform=wayland'] : [];
  const code = await run(runtime.executable, [...sandbox.switches, ...platform, root, ...args]);
  if (code > 125) process.stderr.write(`\nLab Manager ended abnormally (exit code ${code}); the reason is above.\n`);
  return code;
});

/** @param {readonly string[]} args */
async function needsNoWindow(args) {
  const { importTypeScript } = await import(pathToFileURL(join(root, 'build', 'bundle', 'importTypeScript.mjs')).href);
  /** @type {typeof import('../../electron/start/startOptions.ts')} */
  const { isHeadlessRequested } = await importTypeScript(join(root, 'electron', 'start', 'startOptions.ts'));
  return isHeadlessRequested(['npm', ...args]);
}

/** @param {readonly string[]} args */
function serve(args) {
  const env = { ...process.env, LAB_MANAGER_PROGRAM: 'npm start --' };
  const serviceArguments = args.filter((argument) => argument !== '--headless' && argument !== '--hidden');
  return run(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...serviceArguments], { env });
}
