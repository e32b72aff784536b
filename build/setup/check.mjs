// @ts-check
/** `npm run check`: types, lint and format. */
import { check } from '../test/checks.mjs';
import { command, prepare, root } from './prepare.mjs';

await command(async () => {
  await prepare({ system: null, runtime: false, build: false });
  const { failed } = await check(root);
  return failed === 0 ? 0 : 1;
});
