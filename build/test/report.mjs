// @ts-check
/** `npm run check -- --report`: measures the code for the table in docs/architecture.md. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import ts from 'typescript';
import { findDuplicates } from './duplicates.mjs';
import { layers } from './layers.mjs';

/**
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} value
 */

const productFolders = ['api', 'build', 'dashboard', 'demo', 'electron', 'server'];
/** The top-level folders with layers, except for the dashboard, in which mutual imports have always been forbidden. */
const layeredFolders = ['demo', 'electron', 'server'];
const shortFileLines = 20;

/**
 * Measures the code below a folder, which may be a worktree of another commit.
 * @param {string} root the project, with its tools @param {string} folder
 * @returns {Promise<readonly Measure[]>}
 */
export async function measure(root, folder) {
  const files = productFolders
    .flatMap((top) => readdirSync(join(folder, top), { recursive: true }).map((path) => `${top}/${path}`))
    .filter(isProduction);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const sizes = texts.map(lineCount);
  const short = sizes.filter((lines) => lines <= shortFileLines).length;
  return [
    {
      name: `two-way folder pairs inside ${layeredFolders.join(', ')}`,
      value: String(mutualImports(await imports(folder)).length),
    },
    {
      name: `production files / of at most ${shortFileLines} lines`,
      value: `${formatNumber(files.length)} / ${short}`,
    },
    { name: 'production lines', value: formatNumber(sizes.reduce((sum, lines) => sum + lines, 0)) },
    { name: 'exports unused outside their file', value: String(unusedExports(root, folder)) },
    { name: 'functions over 60 lines', value: String(longFunctions(root, folder) + longByReason(texts)) },
    { name: 'identical blocks of six or more lines', value: String(findDuplicates(root, folder).length) },
    {
      name: 'function members of interfaces in server / electron',
      value: ['server', 'electron']
        .map((top) => texts.filter((_text, index) => files[index]?.startsWith(`${top}/`)))
        .map((sources) => sources.reduce((sum, text) => sum + functionMembers(text), 0))
        .join(' / '),
    },
    { name: 'requests of a cold panel page', value: 'e2e/browser/pageWeight.spec.ts' },
  ];
}

/**
 * Returns whether a file is part of the product or its build, as opposed to tests and their fixtures.
 * @param {string} path
 */
export function isProduction(path) {
  return /\.(?:ts|vue|mjs|css)$/.test(path) && !/\.test\.ts$|(?:^|\/)fixtures\//.test(path);
}

/** Returns the number of lines of a text, including blank ones and comments. @param {string} text */
export function lineCount(text) {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
}

/**
 * Returns the folders in the same top-level folder that import each other.
 * @param {readonly { readonly from: string, readonly to: string }[]} fileImports paths of files
 * @returns {string[]} sorted, `a ⇄ b`
 */
export function mutualImports(fileImports) {
  const arrows = new Set(
    fileImports
      .filter(({ from, to }) => from.split('/')[0] === to.split('/')[0])
      .map(({ from, to }) => `${dirname(from)} ${dirname(to)}`),
  );
  return [...arrows]
    .map((arrow) => arrow.split(' '))
    .filter(([from = '', to = '']) => from < to && arrows.has(`${to} ${from}`))
    .map((pair) => pair.join(' ⇄ '))
    .toSorted();
}

/** Returns the imports of production files, including type imports. @param {string} folder */
async function imports(folder) {
  const { tsConfig: _ownOnly, ...options } = layers.options ?? {};
  const { output } = await cruise(layeredFolders, { ...options, baseDir: folder });
  if (typeof output === 'string') throw new Error(output);
  return output.modules
    .filter(({ source }) => isProduction(source) && layeredFolders.includes(source.split('/')[0] ?? ''))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
}

/**
 * Returns the number of exported values and types that no other file imports, including tests and benchmarks.
 * @param {string} root
 * @param {string} folder
 */
function unusedExports(root, folder) {
  const args = ['--config', join(root, 'build/test/knip.json'), '--reporter', 'json'];
  /** @type {{ issues: readonly { exports?: readonly unknown[], types?: readonly unknown[] }[] }} */
  const { issues } = runTool(join(root, 'node_modules/knip/bin/knip.js'), args, folder);
  return issues.reduce((sum, { exports = [], types = [] }) => sum + exports.length + types.length, 0);
}

/**
 * Returns the number of functions outside of tests that the linter reports as too long.
 * @param {string} root @param {string} folder
 */
function longFunctions(root, folder) {
  const args = ['--config', join(root, '.oxlintrc.json'), '--format', 'json', ...productFolders];
  /** @type {{ diagnostics: readonly { code: string, filename: string }[] }} */
  const { diagnostics } = runTool(join(root, 'node_modules/oxlint/bin/oxlint'), args, folder);
  return diagnostics.filter(({ code, filename }) => code === 'eslint(max-lines-per-function)' && isProduction(filename))
    .length;
}

/**
 * Returns the number of functions that are exempt from the length limit with a stated reason.
 * @param {readonly string[]} texts of files
 */
export function longByReason(texts) {
  return texts.join('\n').match(/^\s*\/\/ oxlint-disable-next-line max-lines-per-function -- \S/gm)?.length ?? 0;
}

/** Returns the number of methods and of function-typed properties of interfaces in a source text. @param {string} text */
export function functionMembers(text) {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest);
  /** @param {ts.TypeNode | undefined} type @returns {boolean} */
  const isFunction = (type) =>
    type !== undefined &&
    (ts.isFunctionTypeNode(type) ||
      (ts.isParenthesizedTypeNode(type) && isFunction(type.type)) ||
      (ts.isUnionTypeNode(type) && type.types.some(isFunction)));
  return source.statements
    .filter(ts.isInterfaceDeclaration)
    .flatMap(({ members }) => [...members])
    .filter((member) => ts.isMethodSignature(member) || (ts.isPropertySignature(member) && isFunction(member.type)))
    .length;
}

/**
 * Returns the JSON output of a tool.
 * @param {string} program @param {readonly string[]} args @param {string} folder its working directory
 */
function runTool(program, args, folder) {
  // These tools exit with 1 if they report findings.
  const { stdout } = spawnSync(process.execPath, [program, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout.toString());
}

/** @param {number} value */
function formatNumber(value) {
  return value.toLocaleString('en-US');
}

/** Formats the measures as lines of two columns. @param {readonly Measure[]} measures */
export function reportText(measures) {
  const width = Math.max(...measures.map(({ name }) => name.length));
  return measures.map(({ name, value }) => `${name.padEnd(width)}  ${value}\n`).join('');
}
