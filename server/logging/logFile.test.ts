import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openLog } from './logFile.ts';
import { makeTempFolder } from '../fixtures/tempFolder.ts';

describe('the log file', () => {
  it('has one line with time, level and scope for each event of at least the configured level', async () => {
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

  it('builds no text of a line that neither the file nor the console writes', async () => {
    await using folder = await makeTempFolder();
    const { log, configure } = openLog(join(folder.path, 'logs'), false);
    const toJSON = vi.fn(() => 'details');
    log.debug('GET /health 200', { toJSON });
    expect(toJSON).not.toHaveBeenCalled();
    configure({ logLevel: 'DEBUG', verbose: false });
    log.debug('GET /health 200', { toJSON });
    expect(toJSON).toHaveBeenCalledOnce();
  });

  it('has one line for each event, truncated and without terminal sequences', async () => {
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
});
