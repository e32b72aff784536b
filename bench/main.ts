/** `npm run bench`: every measurement, one table. Not a test: it says how this machine does now. */
import { arch, cpus, platform } from 'node:os';
import { benchDemoLab } from './demoLab.ts';
import { benchDesktop } from './desktop.ts';
import { benchLabHealth, benchLoad, benchStart } from './service.ts';
import { markdownTable, type Result } from './table.ts';

const executable = process.env['LAB_MANAGER_RUNTIME'];
if (!executable) throw new Error('LAB_MANAGER_RUNTIME must name the Electron runtime: use npm run bench');

const results: Result[] = [];
for (const part of [benchStart, benchLoad, benchLabHealth, benchDemoLab, () => benchDesktop(executable)]) {
  results.push(...(await part()));
}
console.log(`Node ${process.versions.node}, ${platform()}/${arch()}, ${cpus().length} cores\n`);
console.log(markdownTable(results));
