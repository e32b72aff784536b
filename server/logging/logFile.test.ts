import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { openLog } from './logFile.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';

describe('the log file', () => {
  it('has one line per event with time, level and scope, from the configured level', async () => {
    await using folder = await makeTempFolder();
    const { log, path, configure } = openLog(join(folder.path, 'logs'), false);
    log.debug('too much');
    log.info('begins', { port: 8000 });
    configure({ logLevel: 'WARNING', verbose: false });
    log.info('left out');
    log.scope('watch').warn('seen');
    configure({ logLevel: 'DEBUG', verbose: false });
    log.debug('all of it');
    configure({ logLevel: 'CRITICAL', verbose: true });
    log.warn('left out too');
    log.error('at last');
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('at last'));
    const lines = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    const time = String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} `;
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`${time}\\[info\\] +\\(service\\) begins \\{"port":8000\\}$`)),
      expect.stringMatching(new RegExp(`${time}\\[warn\\] +\\(watch\\) seen$`)),
      expect.stringMatching(new RegExp(`${time}\\[debug\\] +\\(service\\) all of it$`)),
      expect.stringMatching(new RegExp(`${time}\\[error\\] +\\(service\\) at last$`)),
    ]);
  });

  it('keeps an event on one line without terminal sequences', async () => {
    await using folder = await makeTempFolder();
    const { log, path } = openLog(join(folder.path, 'logs'), false);
    log.error('GET /\u009b31m\u202e\nforged line', { peer: '\u001b[2J\u007f\u009b2Jme' });
    log.info('x'.repeat(100_000));
    log.info('at last');
    await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toContain('at last'));
    const [forged, long, ...rest] = (await readFile(path, 'utf8')).trim().split(/\r?\n/);
    expect(forged).toMatch(/\(service\) GET \/ forged line \{"peer":"\\u001b\[2J me"\}$/);
    expect(long?.length).toBeLessThan(8200);
    expect(rest).toEqual([expect.stringMatching(/at last$/)]);
  });

  it('is written from any working directory and rotated', async () => {
    await using folder = await makeTempFolder();
    const program = join(folder.path, 'program.mjs');
    const logs = join(folder.path, 'logs');
    await build({
      stdin: {
        contents: `import { openLog } from './logFile.ts';
          const { log } = openLog(${JSON.stringify(logs)}, false);
          for (let line = 0; line < 4000; line += 1) log.info('x'.repeat(8000));
          log.info('at last');`,
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
    // A folder without a package.json, as for a service.
    await promisify(execFile)(process.execPath, [program], { cwd: folder.path, env: { HOME: folder.path } });
    expect(await readFile(join(logs, 'lab-manager.log'), 'utf8')).toContain('at last');
    expect((await readdir(logs)).toSorted()).toEqual([
      'lab-manager.1.log',
      'lab-manager.2.log',
      'lab-manager.3.log',
      'lab-manager.4.log',
      'lab-manager.log',
    ]);
  }, 30_000);
});
