/** Starts the lab once for the whole suite, and ends it however the suite ends. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDemoTarget } from './demoTarget.ts';
import { startRealTarget } from './realTarget.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = process.env['INTEROP_TARGET'] ?? 'real';
  if (kind !== 'real' && kind !== 'demo') throw new Error(`INTEROP_TARGET is ${kind}; it can be real or demo`);
  // Without a handler these signals would end the process immediately and leave the lab's folder behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  const coverageFolder = await mkdtemp(join(tmpdir(), 'lab-manager-coverage-'));
  const removeFolder = () => rmSync(coverageFolder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const { target, stop } = await (kind === 'real' ? startRealTarget() : startDemoTarget());
  project.provide('target', { ...target, coverageFolder });
  return async () => {
    await stop();
    removeFolder();
  };
}
