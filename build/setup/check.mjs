// @ts-check
/** `npm run check`: types, lint, layers and format. `-- --report [folder]`: metrics of the code in this or another worktree. */
import { resolve } from 'node:path';
import { check } from '../test/checks.mjs';
import { command, prepare, root } from './prepare.mjs';
import { SetupError } from './output.mjs';

await command(async () => {
  const [option, folder = root, ...rest] = process.argv.slice(2);
  if ((option && option !== '--report') || rest.length > 0) {
    throw new SetupError('npm run check accepts only --report and, after it, a worktree of the project');
  }
  await prepare({ system: [], runtime: false, build: false });
  if (option) {
    // Imports a tool, which isn't installed before `prepare`.
    const { measure, reportText } = await import('../test/report.mjs');
    process.stdout.write(reportText(await measure(root, resolve(folder))));
    return 0;
  }
  const { failed } = await check(root);
  return failed === 0 ? 0 : 1;
});
