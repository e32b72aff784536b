// @ts-check
/** Copies the few files of Swagger UI that its page loads: 2 MB of 12. */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

/** @param {string} root */
export async function build(root) {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = join(root, 'dist', 'swagger-ui');
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const file of files) await copyFile(join(from, file), join(to, file));
}
