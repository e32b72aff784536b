// @ts-check
/**
 * Loaded into a measured program before its code: replies to each message with the memory in use after a garbage
 * collection, in bytes.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');
process.on('message', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
// The channel must not prevent the program from ending.
process.channel?.unref();
