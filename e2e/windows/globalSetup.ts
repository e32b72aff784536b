/** Creates the suite's Wine prefix, with the built service in `C:\Program Files`. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeWinePrefix } from '../../build/setup/winePrefix.mjs';
import { repository } from '../support/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Full path of the Wine prefix. */
    readonly winePrefix: string;
  }
}

/** The files of the headless service. */
export const productFiles = [
  'package.json',
  ...['server', 'chunks', 'demo', 'dashboard', 'help', 'swagger-ui'].map((name) => join('dist', name)),
];

export default function setup(project: TestProject): () => void {
  const { prefix, remove } = makeWinePrefix();
  const installFolder = join(prefix, 'drive_c/Program Files/Lab Manager');
  mkdirSync(installFolder, { recursive: true });
  for (const path of productFiles) cpSync(join(repository, path), join(installFolder, path), { recursive: true });
  mkdirSync(join(prefix, 'drive_d'));
  symlinkSync('../drive_d', join(prefix, 'dosdevices', 'd:'));
  project.provide('winePrefix', prefix);
  return remove;
}
