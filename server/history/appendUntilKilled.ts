/** A program for tests: appends to the history file until it is killed, and prints the number of each record on disk. */
import { clock } from '../../api/time/clock.ts';
import { silentLog } from '../logging/log.ts';
import { HistoryFile } from './historyFile.ts';

const [path = '', first = '0'] = process.argv.slice(2);
const { file } = await HistoryFile.open(path, silentLog);
for (let number = Number(first); ; number += 1) {
  const at = new Date(clock.now()).toISOString();
  await file.append({ kind: 'state', at, manager: 'event', state: 'unhealthy', reason: `${number}` });
  process.stdout.write(`${number}\n`);
}
