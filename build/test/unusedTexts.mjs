// @ts-check
/**
 * Finds entries of the text catalogues that no production code uses. A catalogue is an exported object whose name ends
 * in `Texts`, or any exported object of a `texts.ts`. As a program, it lists the entries and fails if there are any.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { camelize } from 'vue';
import { parse } from 'vue/compiler-sfc';
import { isProduction } from './report.mjs';

/**
 * @typedef {object} Entry
 * @property {string} place its file and line
 * @property {string} path its names, separated by points
 * @property {Map<string, Entry> | null} entries those of an object
 * @property {boolean} isUsed
 */

/** @typedef {ReadonlyMap<string, string>} Files texts by path */
/**
 * @typedef {Map<string, Entry[]>} Names the entries that each name in a file may refer to; several functions may use the same name
 */

/**
 * @param {Files} files production code with its catalogues
 * @returns {readonly string[]} a line for each unused entry, with its place
 */
export function unusedTexts(files) {
  const catalogues = new Map([...files].map(([path, text]) => [path, findCatalogues(path, text)]));
  for (const [path, text] of files) markUses(path, text, catalogues);
  return [...catalogues.values()].flatMap((constants) => [...constants.values()].flatMap(listUnused));
}

/** @param {string} path @param {string} text @returns {Map<string, Entry>} the catalogues of a file by their names */
function findCatalogues(path, text) {
  const catalogues = new Map();
  const isTexts = posix.basename(path) === 'texts.ts';
  if (!path.endsWith('.ts') || !(isTexts || text.includes('Texts'))) return catalogues;
  const file = parseCode(text);
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement) || !isExported(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && unwrapExpression(initializer);
      if (!ts.isIdentifier(name) || !value || !ts.isObjectLiteralExpression(value)) continue;
      if (isTexts || name.text.endsWith('Texts')) catalogues.set(name.text, entry(value, name.text, path, file));
    }
  }
  return catalogues;
}

/**
 * @param {ts.Expression} value
 * @param {string} name
 * @param {string} path
 * @param {ts.SourceFile} file
 * @returns {Entry}
 */
function entry(value, name, path, file) {
  const line = file.getLineAndCharacterOfPosition(value.getStart(file)).line + 1;
  const object = unwrapExpression(value);
  /** @type {Entry} */
  const createdEntry = { place: `${path}:${line}`, path: name, entries: null, isUsed: false };
  if (!ts.isObjectLiteralExpression(object)) return createdEntry;
  createdEntry.entries = new Map();
  for (const property of object.properties) {
    if (!property.name || ts.isComputedPropertyName(property.name)) continue;
    const key = property.name.text;
    const inner = ts.isPropertyAssignment(property) ? property.initializer : property.name;
    createdEntry.entries.set(key, entry(/** @type {ts.Expression} */ (inner), `${name}.${key}`, path, file));
  }
  return createdEntry;
}

/** @param {string} path @param {string} text @param {ReadonlyMap<string, Map<string, Entry>>} catalogues */
function markUses(path, text, catalogues) {
  const scripts = extractCode(path, text).map(parseCode);
  /** @type {Names} */
  const names = new Map([...(catalogues.get(path) ?? [])].map(([name, found]) => [name, [found]]));
  for (const part of scripts) addImports(part, path, catalogues, names);
  if (names.size === 0) return;
  for (const part of scripts) eachNode(part, (node) => ts.isVariableDeclaration(node) && addAliases(node, names));
  for (const part of scripts) {
    eachNode(part, (node) => {
      if (!ts.isIdentifier(node) || !isReference(node)) return;
      const { entries, end } = resolveEntries(node, names);
      if (!isAlias(end)) entries.forEach((found) => markUsed(found));
    });
  }
}

/**
 * Returns the code of a file: of a Vue file, its scripts and each expression of its template.
 * @param {string} path @param {string} text @returns {readonly string[]}
 */
function extractCode(path, text) {
  if (!path.endsWith('.vue')) return [text];
  const { script, scriptSetup, template } = parse(text, { filename: path, sourceMap: false }).descriptor;
  /** @type {string[]} */
  const expressions = [];
  /** @param {unknown} node of the template */
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return;
    const { name, arg, exp, content, isStatic, ...rest } = /** @type {Record<string, any>} */ (node);
    if (isStatic === false) expressions.push(`(${content})`);
    // `:texts` is short for `:texts="texts"`.
    else if (name === 'bind' && arg && !exp) expressions.push(camelize(arg.content));
    for (const inner of [arg, exp, content, rest['children'], rest['props']].flat()) visit(inner);
  };
  visit(template?.ast);
  return [script?.content ?? '', scriptSetup?.content ?? '', ...expressions];
}

/**
 * @param {ts.SourceFile} file
 * @param {string} path
 * @param {ReadonlyMap<string, Map<string, Entry>>} catalogues
 * @param {Names} names
 */
function addImports(file, path, catalogues, names) {
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const catalogue = catalogues.get(posix.join(posix.dirname(path), statement.moduleSpecifier.text));
    const bindings = statement.importClause?.namedBindings;
    if (!catalogue || !bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      const catalogueEntry = catalogue.get((propertyName ?? name).text);
      if (catalogueEntry) addEntries(names, name.text, [catalogueEntry]);
    }
  }
}

/**
 * Adds the names that a declaration gives to parts of a catalogue.
 * @param {ts.VariableDeclaration} declaration
 * @param {Names} names
 */
function addAliases({ name, initializer }, names) {
  const root = initializer && findRoot(initializer);
  if (!root || !names.has(root.text)) return;
  const { entries, end } = resolveEntries(root, names);
  if (!isAlias(end)) return;
  if (ts.isIdentifier(name)) return addEntries(names, name.text, entries);
  for (const element of /** @type {ts.ObjectBindingPattern} */ (name).elements) {
    const key = /** @type {ts.Identifier} */ (element.propertyName ?? element.name).text;
    const inner = entries.flatMap(({ entries: properties }) => properties?.get(key) ?? []);
    addEntries(names, /** @type {ts.Identifier} */ (element.name).text, inner);
  }
}

/**
 * Returns whether an expression only gives a name to a part of a catalogue, so that the uses of this name count.
 * @param {ts.Node} end
 */
function isAlias(end) {
  const { parent: declaration } = end;
  if (!ts.isVariableDeclaration(declaration) || declaration.type || declaration.initializer !== end) return false;
  const statement = declaration.parent.parent;
  if (ts.isVariableStatement(statement) && isExported(statement)) return false;
  const { name } = declaration;
  if (ts.isIdentifier(name)) return true;
  return (
    ts.isObjectBindingPattern(name) &&
    name.elements.every(
      (element) =>
        !element.dotDotDotToken &&
        ts.isIdentifier(element.name) &&
        (!element.propertyName || ts.isIdentifier(element.propertyName)),
    )
  );
}

/**
 * Returns the entries that a name and the properties after it refer to, and the expression of both.
 * @param {ts.Identifier} name @param {Names} names @returns {{ entries: readonly Entry[], end: ts.Node }}
 */
function resolveEntries(name, names) {
  let entries = names.get(name.text) ?? [];
  /** @type {ts.Node} */
  let end = name;
  for (;;) {
    const { parent } = end;
    const isProperty = ts.isPropertyAccessExpression(parent) && parent.expression === end;
    const key = isProperty ? parent.name.text : ts.isQualifiedName(parent) ? parent.right.text : undefined;
    if (key === undefined) return { entries, end };
    const inner = entries.flatMap(({ entries: properties }) => properties?.get(key) ?? []);
    // A property that no entry has, such as the length of a text, is a use of the whole entry.
    if (inner.length === 0) return { entries, end };
    entries = inner;
    end = parent;
  }
}

/** @param {ts.Expression} expression @returns {ts.Identifier | undefined} `a` of `a.b.c` */
function findRoot(expression) {
  if (ts.isIdentifier(expression)) return expression;
  return ts.isPropertyAccessExpression(expression) ? findRoot(expression.expression) : undefined;
}

/** Returns whether an identifier refers to a variable. @param {ts.Identifier} node */
function isReference(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isImportSpecifier(parent)) return false;
  return /** @type {{ name?: ts.Node }} */ (parent).name !== node;
}

/** @param {Entry} usedEntry */
function markUsed(usedEntry) {
  usedEntry.isUsed = true;
  usedEntry.entries?.forEach((inner) => markUsed(inner));
}

/** @param {Entry} found @returns {readonly string[]} */
function listUnused({ place, path, entries, isUsed }) {
  if (entries) return [...entries.values()].flatMap(listUnused);
  return isUsed ? [] : [`${place} ${path}`];
}

/** @param {Names} names @param {string} name @param {readonly Entry[]} entries */
function addEntries(names, name, entries) {
  names.set(name, [...(names.get(name) ?? []), ...entries]);
}

/** @param {ts.Expression} expression @returns {ts.Expression} without `as const`, `satisfies` and parentheses */
function unwrapExpression(expression) {
  return ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
    ? unwrapExpression(expression.expression)
    : expression;
}

/** @param {ts.VariableStatement} statement */
const isExported = ({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

/** @param {string} code */
const parseCode = (code) => ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);

/** @param {ts.Node} node @param {(node: ts.Node) => unknown} visit */
function eachNode(node, visit) {
  visit(node);
  ts.forEachChild(node, (child) => eachNode(child, visit));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = resolve(import.meta.dirname, '../..');
  const paths = execFileSync('git', ['ls-files', 'api', 'dashboard', 'demo', 'electron', 'server'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.(?:ts|vue)$/.test(path) && isProduction(path));
  const unused = unusedTexts(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
  if (unused.length > 0) {
    process.stdout.write(
      `${unused.join('\n')}\n${unused.length} entries of text catalogues that no production code uses\n`,
    );
    process.exitCode = 1;
  }
}
