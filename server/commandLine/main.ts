/** Entry of the headless service: `node dist/server/main.js [options]`. */
import { homedir } from 'node:os';
import { runCommandLine } from './cli.ts';
import { startDemoChild } from './demoChild.ts';
import { ignoreClosedStreams } from '../logging/standardStreams.ts';
import { isExportPending } from '../telemetry/telemetry.ts';
import { exitDespiteStorage, isStorageStuck } from '../storage/storageTimeout.ts';

ignoreClosedStreams();
const code = await runCommandLine({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  homeDir: homedir(),
  program: process.env['LAB_MANAGER_PROGRAM'] ?? 'lab-manager',
  codeDirectory: import.meta.dirname,
  startDemo: startDemoChild,
});
process.exitCode = code;
if (isStorageStuck() || isExportPending()) exitDespiteStorage(code);
