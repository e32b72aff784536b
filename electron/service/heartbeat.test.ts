import { expect, it } from 'vitest';
import { classifyHeartbeat, pingMs } from './heartbeat.ts';

it.each([
  ['a recent reply', 100, pingMs, 'responsive'],
  ['two pings without a reply', 4500, pingMs, 'responsive'],
  ['no message for 5 s', 5000, pingMs, 'unresponsive'],
  ['no message for 15 s', 15_000, pingMs, 'hung'],
  ['the machine slept for an hour', 3_600_000, 3_600_000, 'suspended'],
  ['this app itself was suspended for 20 s', 20_000, 20_000, 'suspended'],
  ['a reply on a busy machine is slightly late', 2500, pingMs + 2900, 'responsive'],
])('classifyHeartbeat handles %s', (_name, sinceReply, sincePing, kind) => {
  expect(classifyHeartbeat(sinceReply, sincePing).kind).toBe(kind);
});
