import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../fixtures/tempFolder.ts';
import { createTestModel } from '../fixtures/testModel.ts';
import { silentLog } from '../logging/log.ts';
import { Database } from './database.ts';

it('Database reports an unreadable certificate file as its problem and names the file', async () => {
  const folder = await makeTempFolder();
  const missing = join(folder.path, 'ca.pem');
  const lines: string[] = [];
  const problems: unknown[] = [];
  const database = new Database({
    url: `postgresql://lab:secret-4f7c91@127.0.0.1:1/lab?sslmode=verify-full&sslrootcert=${missing}`,
    identity: { id: 'a', renew: () => 'b' },
    name: 'lab-pc:8000',
    lab: createTestModel(),
    log: { ...silentLog, warn: (line) => void lines.push(line) },
  });
  database.state.subscribe(({ problem: reported }) => void problems.push(reported?.reason));
  database.start();
  await expect.poll(() => lines).toHaveLength(1);
  const { problem } = database;
  expect(problem?.reason).toContain(missing);
  expect(lines[0]).toContain(`LAB_DATABASE_URL can't be used: ${problem?.reason}`);
  expect(lines[0]).not.toContain('secret-4f7c91');
  expect(problems).toEqual(['not connected yet', problem?.reason]);
  await database.stop();
  await folder.remove();
});
