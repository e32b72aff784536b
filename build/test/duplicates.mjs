// @ts-check
/** Finds identical blocks of production code with jscpd. As a program, it lists them and fails above the limit. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The number of accepted duplicates; reasons in docs/adr/0003-structure-and-checks.md. */
const maxBlocks = 7;
const folders = ['api', 'build', 'dashboard', 'demo', 'electron', 'server'];

/**
 * Finds identical blocks of at least six lines and 50 tokens (`jscpd.json`).
 * @param {string} root the project, with its tools @param {string} folder a worktree
 * @returns {readonly string[]} one line per block: its length and its two locations
 */
export function findDuplicates(root, folder) {
  const output = mkdtempSync(join(tmpdir(), 'lab-manager-duplicates-'));
  try {
    const program = join(root, 'node_modules/jscpd/run-jscpd.js');
    const args = ['--config', join(root, 'build/test/jscpd.json'), '--output', output, '--no-tips', ...folders];
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`jscpd ended with ${status}: ${stderr}`);
    return formatBlocks(readFileSync(join(output, 'jscpd-report.json'), 'utf8'), folder);
  } finally {
    rmSync(output, { recursive: true });
  }
}

/** @param {string} report of jscpd, as JSON @param {string} folder */
export function formatBlocks(report, folder) {
  /**
   * @typedef {{ readonly name: string, readonly start: number }} Place a part of a Vue file has its language in the
   * name
   */
  /** @type {{ readonly duplicates: readonly { lines: number, firstFile: Place, secondFile: Place }[] }} */
  const { duplicates } = JSON.parse(report);
  /** @param {Place} place */
  const placeText = ({ name, start }) => `${relative(folder, name).replace(/\.vue:\w+$/, '.vue')}:${start}`;
  return duplicates
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ lines, firstFile, secondFile }) => `${lines} lines: ${placeText(firstFile)} ${placeText(secondFile)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '../..');
  const blocks = findDuplicates(root, root);
  if (blocks.length > maxBlocks) {
    process.stdout.write(`${blocks.join('\n')}\n${blocks.length} identical blocks; at most ${maxBlocks} are allowed\n`);
    process.exitCode = 1;
  }
}
