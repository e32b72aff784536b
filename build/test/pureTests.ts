/**
 * Forbids sockets and processes in the tests of the project `pure`, which therefore give the same result on every machine.
 * A test that needs them belongs into a `*.service.test.ts`.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { afterEach, expect } from 'vitest';

/** What the current test has tried. The code under test may catch the error. */
let attempts: string[] = [];
afterEach(() => {
  const made = attempts;
  attempts = [];
  expect(made, 'This test belongs into a file *.service.test.ts').toEqual([]);
});

function forbid(what: string): () => never {
  return () => {
    const { stack = '' } = new Error(`This test ${what}`);
    attempts.push(stack);
    throw new Error(`This test ${what}: move it into a file *.service.test.ts`);
  };
}

net.Server.prototype.listen = forbid('listens on a port or socket');
net.Socket.prototype.connect = forbid('opens a connection');
Object.assign(dgram.Socket.prototype, {
  bind: forbid('listens on a port'),
  send: forbid('sends a datagram'),
});
for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)
  Object.assign(childProcess, { [name]: forbid('starts a process') });
syncBuiltinESMExports();
