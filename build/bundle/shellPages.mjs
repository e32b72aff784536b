// @ts-check
import { buildPages } from './pages.mjs';

/** Builds the shell's pages into dist/shell. @param {string} root */
export function build(root) {
  return buildPages(root, 'electron/pages/vite.config.ts');
}
