// @ts-check
/** `npm run package:container`: builds the container image of the service without a window into out/. */
import { statSync } from 'node:fs';
import { command, prepare, root } from './prepare.mjs';
import { print } from './output.mjs';

await command(async () => {
  await prepare({ system: ['container'], runtime: false, build: true });
  const { packageContainer } = await import('../package/container.mjs');
  const archive = await packageContainer(root);
  const megabytes = (statSync(archive).size / 1e6).toFixed(0);
  print(`The image is ${archive} (${megabytes} MB). To load it: podman load --input ${archive}`);
  return 0;
});
