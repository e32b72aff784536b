// @ts-check
/** `npm run server`: the service without a window. */
import { join } from 'node:path';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

await command(async () => {
  await prepare({ system: null, runtime: false, build: true });
  const env = { ...process.env, LAB_MANAGER_PROGRAM: 'npm run server --' };
  return run(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...process.argv.slice(2)], { env });
});
