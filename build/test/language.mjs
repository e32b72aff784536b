// @ts-check
/**
 * Checks the language of names, test titles and comments against `language.json`: words that the project does not use,
 * test titles that are fragments, and `@param` tags without a parameter. Comments include those of templates and style
 * sheets. As a program, it lists the findings and fails if there are any.
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
 * @property {readonly string[]} predicateStarts first words of a title that is a fragment outside of `describe`
 * @property {Readonly<Record<string, string>>} allowedNames the reason by the name
 */

const testFunctions = new Set(['it', 'test', 'itOnRealLab', 'since08']);

/** @param {string} root @returns {Rules} */
const readRules = (root) => JSON.parse(readFileSync(join(root, 'build/test/language.json'), 'utf8'));

/**
 * @param {string} path decides the language: of a Vue file, scripts, template and styles are checked @param {string} text
 * @param {Rules} rules @returns {readonly string[]} a line for each finding, with its place
 */
export function findings(path, text, rules) {
  /** @type {string[]} */
  const found = [];
  /** @param {number} at @param {string} problem */
  const reportAt = (at, problem) => found.push(`${path}:${text.slice(0, at).split('\n').length} ${problem}`);
  for (const { code, offset } of scriptsOf(path, text)) {
    /** @type {Report} */
    const report = (at, problem) => void reportAt(offset + at, problem);
    const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
    checkComments(file, rules, report);
    /** @param {ts.Node} node @param {boolean} isDescribed */
    const visit = (node, isDescribed) => {
      checkName(node, rules, report);
      checkTitle(node, rules, report, isDescribed);
      checkParameterTags(node, report);
      const isInside = isDescribed || (ts.isCallExpression(node) && baseName(node.expression) === 'describe');
      ts.forEachChild(node, (child) => visit(child, isInside));
    };
    visit(file, false);
  }
  for (const comment of markupComments(path, text)) {
    const word = commentWord(comment[0], rules);
    if (word !== undefined) reportAt(comment.index, `comment: “${word}”`);
  }
  return found;
}

/**
 * @param {string} path @param {string} text
 * @returns {Iterable<RegExpMatchArray & { index: number }>} the comments of markup and style sheets
 */
function markupComments(path, text) {
  if (!/\.(vue|css|html)$/.test(path)) return [];
  const withoutScripts = text.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.replaceAll(/[^\n]/g, ' '),
  );
  return withoutScripts.matchAll(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g);
}

/** @param {string} path @param {string} text @returns {readonly { code: string, offset: number }[]} */
function scriptsOf(path, text) {
  if (/\.(css|html)$/.test(path)) return [];
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

/** @param {ts.Node} node @param {Rules} rules @param {Report} report @param {boolean} isDescribed inside of `describe` */
function checkTitle(node, rules, report, isDescribed) {
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
  const [first = ''] = words;
  const isFragment = rules.fragmentStarts.includes(first) && !words.some((each) => isVerb(each));
  if (isFragment || (!isDescribed && rules.predicateStarts.includes(first))) {
    report(title.getStart(), `test title is a fragment: ${title.getText()}`);
  }
}

/** @param {ts.Node} node @param {Report} report */
function checkParameterTags(node, report) {
  const tags = ts.isFunctionDeclaration(node) ? ts.getJSDocTags(node).filter((tag) => ts.isJSDocParameterTag(tag)) : [];
  for (const tag of tags) {
    const [name = ''] = tag.name.getText().split('.');
    const isPattern = /** @type {ts.FunctionDeclaration} */ (node).parameters.some(
      ({ name: { kind } }) => kind !== ts.SyntaxKind.Identifier,
    );
    const text = /** @type {ts.FunctionDeclaration} */ (node).parameters.map((parameter) => parameter.getText()).join();
    if (!isPattern && !new RegExp(`\\b${name}\\b`).test(text))
      report(tag.getStart(), `@param without a parameter: “${name}”`);
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

/** @param {string} comment @param {Rules} rules @returns {string | undefined} the first word that is not allowed */
function commentWord(comment, rules) {
  const pattern = new RegExp(`\\b(?:${rules.commentWords.join('|')})\\b`, 'iu');
  return pattern.exec(comment.replaceAll(/`[^`]*`/g, ''))?.[0];
}

/** @param {ts.SourceFile} file @param {Rules} rules @param {Report} report */
function checkComments(file, rules, report) {
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
    const word = commentWord(file.text.slice(pos, end), rules);
    if (word !== undefined) report(pos, `comment: “${word}”`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '../..');
  const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.vue', '*.css', '*.html'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const rules = readRules(root);
  const found = files.split('\n').flatMap((path) => findings(path, readFileSync(join(root, path), 'utf8'), rules));
  if (found.length > 0) {
    process.stdout.write(`${found.join('\n')}\n${found.length} findings; the words are in build/test/language.json\n`);
    process.exitCode = 1;
  }
}
