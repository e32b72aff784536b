import { expect, it } from 'vitest';
import { judgeHeartbeat, pingMs } from './heartbeat.ts';

it.each([
  ['a recent reply', 100, pingMs, 'fine'],
  ['two pings without a reply', 4500, pingMs, 'fine'],
  ['silent for 5 s', 5000, pingMs, 'silent'],
  ['silent for 15 s', 15_000, pingMs, 'hung'],
  ['the machine slept for an hour', 3_600_000, 3_600_000, 'stood-still'],
  ['this app itself was suspended for 20 s', 20_000, 20_000, 'stood-still'],
  ['a reply on a busy machine is slightly late', 2500, pingMs + 2900, 'fine'],
])('judgeHeartbeat handles %s', (_name, sinceReply, sincePing, kind) => {
  expect(judgeHeartbeat(sinceReply, sincePing).kind).toBe(kind);
});
