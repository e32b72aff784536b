// @ts-check
/**
 * Checks the language of names, test titles and comments against `language.json`: words that the project does not use,
 * test titles that are fragments, and names that refer to nothing: `@param` tags without a parameter, template refs
 * without a variable, identifiers and file names in comments that the code doesn't contain. Comments include those of
 * templates, style sheets, shell scripts and configuration files. As a program, it lists the findings and fails if there are any.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * @typedef {object} Rules
 * @property {readonly string[]} nameWords not allowed as a part of a declared name
 * @property {readonly string[]} vagueNames not allowed as the whole name of a variable, parameter or function
 * @property {readonly string[]} vagueNameFolders folders where they are still allowed
 * @property {readonly string[]} titleWords not allowed in a test title
 * @property {readonly string[]} commentWords not allowed in a comment
 * @property {readonly string[]} fragmentStarts first words of a title that is a fragment
 * @property {readonly string[]} predicateStarts first words of a title that is a fragment outside of `describe`
 * @property {Readonly<Record<string, string>>} allowedNames the reason why it is allowed, by the name
 * @property {Readonly<Record<string, string>>} externalNames allowed in comments: the other software by the name
 */

/** Files whose comments begin with `#`: shell scripts, and configuration of CI, packages and containers. */
const hasHashComments = /(?:\.(?:sh|ya?ml|service|conf)|(?:^|\/)Containerfile|^\.ci\/run)$/;
const testFunctions = new Set(['it', 'test', 'itOnRealLab', 'itSince08']);
/** A title, also of `it.each(…)('…')`. */
const titleText = /(?:\b(?:it|test|describe|itOnRealLab|itSince08)(?:\.\w+)?\(|\)\()\s*(['"`])(?:\\.|(?!\1)[^\\])*\1/g;

/** @param {string} root @returns {Rules} */
const readRules = (root) => JSON.parse(readFileSync(join(root, 'build/test/language.json'), 'utf8'));

/**
 * @param {string} path decides the language: of a Vue file, scripts, template and styles are checked
 * @param {string} text @param {Rules} rules @param {ReadonlySet<string>} known the identifiers of the code, and the names of its files
 * @returns {readonly string[]} a line for each finding, with its place
 */
export function findings(path, text, rules, known) {
  /** @type {string[]} */
  const lines = [];
  /** @param {number} at @param {string} problem */
  const reportAt = (at, problem) => lines.push(`${path}:${text.slice(0, at).split('\n').length} ${problem}`);
  for (const { code, offset } of findScripts(path, text)) {
    /** @type {Report} */
    const report = (at, problem) => void reportAt(offset + at, problem);
    const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
    checkComments(file, rules, known, report);
    /** @param {ts.Node} node @param {boolean} isDescribed */
    const visit = (node, isDescribed) => {
      checkName(node, rules, report);
      if (!rules.vagueNameFolders.some((folder) => path.startsWith(folder))) checkVagueName(node, rules, report);
      checkTitle(node, rules, report, isDescribed);
      checkTitleNames(node, known, report);
      checkParameterTags(node, report);
      const isInside = isDescribed || (ts.isCallExpression(node) && baseName(node.expression) === 'describe');
      ts.forEachChild(node, (child) => visit(child, isInside));
    };
    visit(file, false);
  }
  for (const comment of markupComments(path, text)) {
    checkComment(comment[0], rules, known, (at, problem) => reportAt(comment.index + at, problem));
  }
  checkTemplateRefs(path, text, reportAt);
  return lines;
}

/**
 * @param {readonly string[]} paths @param {(path: string) => string} read
 * @returns {ReadonlySet<string>} the identifiers outside of comments and test titles, and the names of the files
 */
export function knownNames(paths, read) {
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  for (const path of paths) {
    const code = read(path)
      .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|<!--[\s\S]*?-->/g, ' ')
      .replaceAll(titleText, ' ');
    for (const [name] of code.matchAll(/[\w$]+/g)) names.add(name);
  }
  return names;
}

/** @param {string} path @param {string} text @param {Report} report */
function checkTemplateRefs(path, text, report) {
  if (!path.endsWith('.vue')) return;
  const scripts = findScripts(path, text).map(({ code }) => code);
  for (const match of text.matchAll(/\sref="(\w+)"/g)) {
    const [, name = ''] = match;
    const isUsed = scripts.some((code) => new RegExp(`\\b${name}\\b`).test(code));
    if (!isUsed) report(match.index + 1, `template ref without a variable: “${name}”`);
  }
}

/**
 * @param {string} path @param {string} text
 * @returns {Iterable<RegExpMatchArray & { index: number }>} the comments of markup, style sheets and files with `#`
 */
function markupComments(path, text) {
  if (hasHashComments.test(path)) return text.matchAll(/(?<=^|\s)#[^\n]*/g);
  if (!/\.(vue|css|html)$/.test(path)) return [];
  const withoutScripts = text.replaceAll(/<script[^>]*>[\s\S]*?<\/script>/g, (script) =>
    script.replaceAll(/[^\n]/g, ' '),
  );
  return withoutScripts.matchAll(/<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g);
}

/** @param {string} path @param {string} text @returns {readonly { code: string, offset: number }[]} */
function findScripts(path, text) {
  if (/\.(css|html)$/.test(path) || hasHashComments.test(path)) return [];
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
  const identifier = name.text.replace(/^[#_]/, '');
  if (Object.hasOwn(rules.allowedNames, identifier)) return;
  const nameParts = identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
  const word = nameParts.find((part) => rules.nameWords.includes(part));
  if (word !== undefined) report(name.getStart(), `name “${identifier}”: “${word}”`);
}

/**
 * Properties are not checked, because many belong to other software. The names of destructured properties follow them.
 *
 * @param {ts.Node} node @param {Rules} rules @param {Report} report
 */
function checkVagueName(node, rules, report) {
  const isLocal =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    (ts.isBindingElement(node) && (node.propertyName !== undefined || ts.isArrayBindingPattern(node.parent)));
  if (!isLocal || node.name === undefined || !ts.isIdentifier(node.name)) return;
  if (rules.vagueNames.includes(node.name.text)) report(node.name.getStart(), `vague name: “${node.name.text}”`);
}

/**
 * @param {ts.Node} node
 * @param {Rules} rules
 * @param {Report} report
 * @param {boolean} isDescribed inside of `describe`
 */
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
  const word = words.find((titleWord) => rules.titleWords.includes(titleWord));
  if (word !== undefined) report(title.getStart(), `test title: “${word}”`);
  const [first = ''] = words;
  const isFragment = rules.fragmentStarts.includes(first) && !words.some((titleWord) => isVerb(titleWord));
  if (isFragment || (!isDescribed && rules.predicateStarts.includes(first))) {
    report(title.getStart(), `test title is a fragment: ${title.getText()}`);
  }
}

/** @param {ts.Node} node @param {ReadonlySet<string>} known @param {Report} report */
function checkTitleNames(node, known, report) {
  if (!ts.isCallExpression(node)) return;
  const called = baseName(node.expression);
  const [title] = node.arguments;
  if ((called !== 'describe' && !testFunctions.has(called)) || !title || !ts.isStringLiteralLike(title)) return;
  for (const [name] of title.text.matchAll(/\b[a-z]+[A-Z]\w*/g)) {
    if (!known.has(name)) report(title.getStart(), `unknown name in a title: “${name}”`);
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

/** Returns whether a word can be a finite verb of the third person. @param {string} word */
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

/**
 * Reports the first word that is not allowed, and names in backticks that don't exist: file names, and identifiers with
 * an inner capital, because others may be words, values or names of other software.
 *
 * @param {string} comment @param {Rules} rules @param {ReadonlySet<string>} known @param {Report} report
 */
function checkComment(comment, rules, known, report) {
  const word = commentWord(comment, rules);
  if (word !== undefined) report(0, `comment: “${word}”`);
  for (const match of comment.matchAll(/`([a-z]+[A-Z]\w*|[\w.]+\.(?:ts|mjs|vue))(?:\(\))?`/g)) {
    const [, name = ''] = match;
    if (!known.has(name) && !Object.hasOwn(rules.externalNames, name)) report(match.index, `unknown name: “${name}”`);
  }
}

/** @param {ts.SourceFile} file @param {Rules} rules @param {ReadonlySet<string>} known @param {Report} report */
function checkComments(file, rules, known, report) {
  /** @type {Map<number, ts.CommentRange>} a comment can lead one node and trail another */
  const comments = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    const start = node.getFullStart();
    for (const range of ts.getLeadingCommentRanges(file.text, start) ?? []) comments.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(file.text, start) ?? []) comments.set(range.pos, range);
    for (const child of node.getChildren(file)) if (!ts.isTemplateMiddleOrTemplateTail(child)) visit(child);
  };
  visit(file);
  for (const { pos, end } of comments.values()) {
    checkComment(file.text.slice(pos, end), rules, known, (at, problem) => report(pos + at, problem));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '../..');
  const code = ['*.ts', '*.mjs', '*.vue', '*.css', '*.html'];
  const configuration = ['*.sh', '*.yml', '*.yaml', '*.service', '*.conf', '*Containerfile', '.ci/run'];
  const files = execFileSync('git', ['ls-files', ...code, ...configuration], { cwd: root, encoding: 'utf8' }).trim();
  const rules = readRules(root);
  const paths = files.split('\n');
  /** @param {string} path */
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const known = knownNames(paths, read);
  const allFindings = paths.flatMap((path) => findings(path, read(path), rules, known));
  if (allFindings.length > 0) {
    process.stdout.write(
      `${allFindings.join('\n')}\n${allFindings.length} findings; the words are in build/test/language.json\n`,
    );
    process.exitCode = 1;
  }
}
