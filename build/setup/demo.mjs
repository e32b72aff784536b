// @ts-check
/** `npm run demo`: the simulated lab alone, for any lab manager or tool. */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

await command(async () => {
  await prepare({ system: null, runtime: false, build: true });
  return run(process.execPath, [join(root, 'dist', 'demo', 'main.js'), ...process.argv.slice(2)]);
});
