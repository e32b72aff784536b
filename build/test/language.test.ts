/** The language check finds words and fragments, and allows the listed names. */
import { expect, it } from 'vitest';
import { findings, knownNames } from './language.mjs';

const rules = {
  nameWords: ['asked', 'words', 'alive'],
  vagueNames: ['own'],
  vagueNameFolders: ['old/'],
  titleWords: ['told'],
  commentWords: ['anew'],
  fragmentStarts: ['of', 'without'],
  predicateStarts: ['are'],
  allowedNames: { keepAlive: 'HTTP’s term' },
  externalNames: { asarUnpack: 'the packager' },
};
const findIn = (text: string, path = 'a.ts') =>
  findings(
    path,
    text,
    rules,
    knownNames([path], () => text),
  ).map((line) => line.replace(/^a\.\w+:/, ''));

it.each([
  ['a variable', 'const lastAsked = 1;', ['1 name “lastAsked”: “asked”']],
  ['a property', '\ninterface A {\n  words: string[];\n}', ['3 name “words”: “words”']],
  ['a private member', 'class A { #asked = 1; }', ['1 name “asked”: “asked”']],
  ['a parameter', 'export function f(asked_at: number) {}', ['1 name “asked_at”: “asked”']],
  ['a vague variable', 'const own = 1;', ['1 vague name: “own”']],
  ['a vague name of a destructured property', 'const { a: own } = b;', ['1 vague name: “own”']],
  ['a name that contains a vague one', 'const ownFiles = { own: 1 };', []],
  ['an allowed name', 'const keepAlive = true;', []],
  ['a use of a name', 'run(other.asked);', []],
  ['a comment', '/** Counted anew. */\nlet a = 1;', ['1 comment: “anew”']],
  ['a string', "const a = 'counted anew';", []],
  ['a title', "it('is told', () => {});", ['1 test title: “told”']],
  ['a title of rows', "it.each([1])('of %d', () => {});", ["1 test title is a fragment: 'of %d'"]],
  ['a title that is a sentence', "it('without a port uses 80', () => {});", []],
  ['a title without its subject', "it('are counted', () => {});", ["1 test title is a fragment: 'are counted'"]],
  ['a title below its subject', "describe('lines', () => { it('are counted', () => {}); });", []],
  ['a title with an unknown name', "it('oldName returns 1', () => {});", ['1 unknown name in a title: “oldName”']],
  ['a title with a known name', "it('newName returns 1', () => newName());", []],
  ['an unknown name in a comment', '/** See `otherName`. */\nlet a = 1;', ['1 unknown name: “otherName”']],
  ['an unknown function in a comment', '\n// See `otherName()`.\nlet a = 1;', ['2 unknown name: “otherName”']],
  ['an unknown file in a comment', '/** See `b.test.ts`. */\nlet a = 1;', ['1 unknown name: “b.test.ts”']],
  ['known names in a comment', '/** See `myName` of `a.ts`. */\nlet myName = 1;', []],
  ['names of other software', '/** As `asarUnpack`, `ENOENT` and `value` do. */\nlet a = 1;', []],
  ['a tag of a parameter', '/** @param b */\nfunction f(a: number) {}', ['1 @param without a parameter: “b”']],
])('the language check finds or allows the words of %s', (_name, text, expected) => {
  expect(findIn(text)).toEqual(expected);
});

it('the language check reads the scripts of a Vue file with the lines of the file', () => {
  const file = '<template>\n  <p />\n</template>\n\n<script setup lang="ts">\nconst asked = 1;\n</script>\n';
  expect(findIn(file, 'a.vue')).toEqual(['6 name “asked”: “asked”']);
});

it.each([
  ['template of a Vue file', 'a.vue', '<template>\n  <!-- Counted anew. -->\n</template>\n', ['2 comment: “anew”']],
  ['shell script', 'a.sh', 'run "$#" # Counted anew.\n', ['1 comment: “anew”']],
  ['workflow', 'a.yml', '# Counted anew.\non: push\n', ['1 comment: “anew”']],
  ['style of a Vue file', 'a.vue', '<style>\n/* Counted anew. */\n</style>\n', ['2 comment: “anew”']],
  ['script of a Vue file', 'a.vue', '<script>\n/* Counted anew. */\nlet a = 1;\n</script>\n', ['2 comment: “anew”']],
  ['style sheet', 'a.css', 'p {}\n/* `anew`\nCounted anew. */\n', ['2 comment: “anew”']],
  ['style sheet without comments', 'a.css', '.anew {}\n', []],
])('the language check reads the comments in the %s', (_name, path, file, expected) => {
  expect(findIn(file, path)).toEqual(expected);
});

it('the language check allows vague names in the listed folders', () => {
  expect(findIn('const own = 1;', 'old/a.ts')).toEqual([]);
});

it('the language check finds a template ref that no script declares', () => {
  const file = (name: string) =>
    `<script setup>\nconst box = ref();\n</script>\n<template>\n  <p ref="${name}" />\n</template>\n`;
  expect(findIn(file('frame'), 'a.vue')).toEqual(['5 template ref without a variable: “frame”']);
  expect(findIn(file('box'), 'a.vue')).toEqual([]);
});
