// @ts-check
/**
 * Loaded into a measured program before its code: replies to each message with the longest event-loop delay since the
 * previous message, in ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  // A stall is recorded at the first tick after it.
  setTimeout(() => {
    process.send?.(delay.max / 1e6);
    delay.reset();
  }, 20);
});
// The channel must not prevent the program from ending.
process.channel?.unref();
