// @ts-check
/**
 * `npm run test:engines`: tests the service with real third-party programs from Debian's packages, such as Prometheus
 * and nginx.
 */
import { printOutcome } from '../test/reports.mjs';
import { vitest } from '../test/suites.mjs';
import { SetupError } from './output.mjs';
import { command, prepare, root } from './prepare.mjs';

await command(async () => {
  if (process.platform !== 'linux')
    throw new SetupError('npm run test:engines runs programs from Debian’s packages, which needs Linux');
  await prepare({ system: ['engines'], runtime: false, build: true });
  return printOutcome('engines', await vitest(root, 'engines', 'e2e/engines/vitest.config.ts', process.env));
});
