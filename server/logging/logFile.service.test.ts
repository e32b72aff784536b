import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';

/** Runs statements in a separate process, whose folder has no package.json, as for a service. */
async function runWithLog(folder: string, logs: string, statements: string, level: 'info' | false = 'info') {
  const program = join(folder, 'program.mjs');
  await build({
    stdin: {
      contents: `import { mkdirSync, rmSync } from 'node:fs';
        import { openLog } from './logFile.ts';
        const { log, path, error } = openLog(${JSON.stringify(logs)}, ${JSON.stringify(level)});
        ${statements}`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  // Both streams into one file, in the order of the lines.
  const output = await open(join(folder, 'output'), 'w');
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { HOME: folder },
    stdio: ['ignore', output.fd, output.fd],
  });
  await once(child, 'close');
  await output.close();
  return { printed: await readFile(join(folder, 'output'), 'utf8') };
}

describe('the log file', () => {
  it('is not used when its folder can’t be created, and the reason is returned', async () => {
    await using folder = await makeTempFolder({ file: '' });
    const { printed } = await runWithLog(folder.path, join(folder.path, 'file', 'logs'), "log.error('seen', error)");
    expect(printed.trim().split('\n')).toEqual([
      expect.stringMatching(/\[error\] \(service\) seen \{.*"code":"ENOTDIR"/),
    ]);
  });

  it('causes one warning without a stack when writing to it fails', async () => {
    await using folder = await makeTempFolder();
    const statements = `rmSync(path);
      mkdirSync(path);
      for (const text of ['first', 'second', 'third']) log.error(text);`;
    const { printed } = await runWithLog(folder.path, join(folder.path, 'logs'), statements);
    expect(
      printed
        .trim()
        .split('\n')
        .map((line) => line.replace(/^\S+ \S+ /, '')),
    ).toEqual([
      '[error] (service) first',
      expect.stringMatching(/^\[warn\] +\(service\) Couldn't write to .*EISDIR/),
      '[error] (service) second',
      '[error] (service) third',
    ]);
  });

  it('is written from any working directory and rotated', async () => {
    await using folder = await makeTempFolder();
    const logs = join(folder.path, 'logs');
    const statements = `for (let line = 0; line < 4000; line += 1) log.info('x'.repeat(8000));
      log.info('at last');`;
    await runWithLog(folder.path, logs, statements, false);
    expect(await readFile(join(logs, 'lab-manager.log'), 'utf8')).toContain('at last');
    expect((await readdir(logs)).toSorted()).toEqual([
      'lab-manager.1.log',
      'lab-manager.2.log',
      'lab-manager.3.log',
      'lab-manager.4.log',
      'lab-manager.log',
    ]);
  });
});
