// @ts-check
/**
 * Checks the language of names, test titles and comments against `language.json`: words that the project does not use,
 * and test titles that are fragments. As a program, it lists the findings and fails if there are any.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * @typedef {object} Rules
 * @property {readonly string[]} nameWords not allowed as a part of a declared name
 * @property {readonly string[]} titleWords not allowed in a test title
 * @property {readonly string[]} commentWords not allowed in a comment
 * @property {readonly string[]} fragmentStarts first words of a title that is a fragment
 * @property {Readonly<Record<string, string>>} allowedNames the reason by the name
 */

const testFunctions = new Set(['it', 'test', 'itOnRealLab', 'since08']);

/** @param {string} root @returns {Rules} */
const readRules = (root) => JSON.parse(readFileSync(join(root, 'build/test/language.json'), 'utf8'));

/**
 * @param {string} path decides the language: of a Vue file, the scripts are checked @param {string} text
 * @param {Rules} rules @returns {readonly string[]} a line for each finding, with its place
 */
export function findings(path, text, rules) {
  /** @type {string[]} */
  const found = [];
  /** @param {ts.SourceFile} file @param {number} offset */
  const check = (file, offset) => {
    /** @param {number} at @param {string} problem */
    const report = (at, problem) => {
      const line = text.slice(0, offset + at).split('\n').length;
      found.push(`${path}:${line} ${problem}`);
    };
    checkComments(file, rules, report);
    /** @param {ts.Node} node */
    const visit = (node) => {
      checkName(node, rules, report);
      checkTitle(node, rules, report);
      ts.forEachChild(node, visit);
    };
    visit(file);
  };
  for (const { code, offset } of scriptsOf(path, text)) {
    check(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS), offset);
  }
  return found;
}

/** @param {string} path @param {string} text @returns {readonly { code: string, offset: number }[]} */
function scriptsOf(path, text) {
  if (!path.endsWith('.vue')) return [{ code: text, offset: 0 }];
  return [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map((match) => ({
    code: match[1] ?? '',
    offset: match.index + match[0].indexOf('>') + 1,
  }));
}

/** @typedef {(at: number, problem: string) => void} Report */

/** @param {ts.Node} node @param {Rules} rules @param {Report} report */
function checkName(node, rules, report) {
  if (ts.isImportSpecifier(node) || ts.isPropertyAccessExpression(node) || ts.isShorthandPropertyAssignment(node))
    return;
  const name = /** @type {{ name?: ts.Node }} */ (node).name;
  if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return;
  const plain = name.text.replace(/^[#_]/, '');
  if (Object.hasOwn(rules.allowedNames, plain)) return;
  const parts = plain
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
  const word = parts.find((part) => rules.nameWords.includes(part));
  if (word !== undefined) report(name.getStart(), `name “${plain}”: “${word}”`);
}

/** @param {ts.Node} node @param {Rules} rules @param {Report} report */
function checkTitle(node, rules, report) {
  if (!ts.isCallExpression(node) || !testFunctions.has(baseName(node.expression))) return;
  const [title] = node.arguments;
  if (!title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return;
  const words = title
    .getText()
    .slice(1, -1)
    .toLowerCase()
    .split(/[^\p{L}%$’'-]+/u)
    .filter(Boolean);
  const word = words.find((each) => rules.titleWords.includes(each));
  if (word !== undefined) report(title.getStart(), `test title: “${word}”`);
  if (rules.fragmentStarts.includes(words[0] ?? '') && !words.some((each) => isVerb(each))) {
    report(title.getStart(), `test title is a fragment: ${title.getText()}`);
  }
}

/** @param {string} word whether it can be a finite verb of the third person */
const isVerb = (word) => /^(is|are|has|have|does|do|can|cannot|must|may|will)$|[a-z]{2,}s$/.test(word);

/** @param {ts.Expression} expression @returns {string} `it` of `it.each(…)('…')` */
function baseName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return baseName(expression.expression);
  if (ts.isCallExpression(expression)) return baseName(expression.expression);
  return '';
}

/** @param {ts.SourceFile} file @param {Rules} rules @param {Report} report */
function checkComments(file, rules, report) {
  const pattern = new RegExp(`\\b(?:${rules.commentWords.join('|')})\\b`, 'iu');
  /** @type {Map<number, ts.CommentRange>} a comment can lead one node and trail another */
  const comments = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    const before = node.getFullStart();
    for (const range of ts.getLeadingCommentRanges(file.text, before) ?? []) comments.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(file.text, before) ?? []) comments.set(range.pos, range);
    for (const child of node.getChildren(file)) if (!ts.isTemplateMiddleOrTemplateTail(child)) visit(child);
  };
  visit(file);
  for (const { pos, end } of comments.values()) {
    const word = pattern.exec(file.text.slice(pos, end).replace(/`[^`]*`/g, ''))?.[0];
    if (word !== undefined) report(pos, `comment: “${word}”`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '../..');
  const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.vue'], { cwd: root, encoding: 'utf8' }).trim();
  const rules = readRules(root);
  const found = files.split('\n').flatMap((path) => findings(path, readFileSync(join(root, path), 'utf8'), rules));
  if (found.length > 0) {
    process.stdout.write(`${found.join('\n')}\n${found.length} findings; the words are in build/test/language.json\n`);
    process.exitCode = 1;
  }
}
