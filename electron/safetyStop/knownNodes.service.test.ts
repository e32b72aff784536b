import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../server/fixtures/tempFolder.ts';
import { silentLog } from '../../server/logging/log.ts';
import { waitForStateFiles } from '../../server/storage/stateFile.ts';
import { KnownNodesFile } from './knownNodes.ts';

it.skipIf(process.platform === 'win32')('known nodes stay in memory when the file is a FIFO', async () => {
  await using folder = await makeTempFolder();
  const path = join(folder.path, 'nodes.json');
  const nodes = { workcell: 'http://lab:8005/', nodes: [] };
  execFileSync('mkfifo', [path]);
  const nodesFile = new KnownNodesFile(path, silentLog);
  expect(await nodesFile.load()).toBe('it is not a file');
  nodesFile.set(nodes);
  await waitForStateFiles();
  expect(nodesFile.nodes).toEqual(nodes);
  expect(lstatSync(path).isFIFO()).toBe(true);
});
