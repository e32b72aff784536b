// @ts-check
import { buildPages } from './pages.mjs';

/** The dashboard, into dist/dashboard. @param {string} root */
export function build(root) {
  return buildPages(root, 'dashboard/vite.config.ts');
}
