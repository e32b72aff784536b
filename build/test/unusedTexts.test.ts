/**
 * Tests that the check finds entries that no code reads, also when the code gives a part of a catalogue another name.
 */
import { expect, it } from 'vitest';
import { unusedTexts } from './unusedTexts.mjs';

const catalogue = `export const pageTexts = {
  title: 'Page',
  kinds: { a: 'A', b: 'B' } satisfies Record<Kind, string>,
  list: { none: 'None', count: (total: number) => \`\${total}\` },
} as const;
`;
const all = ['title', 'kinds.a', 'kinds.b', 'list.none', 'list.count'];

/** Returns the entries of the catalogue that the code doesn't use. */
function unusedIn(file: string, code: string): readonly string[] {
  const files = new Map([
    ['panel/texts.ts', catalogue],
    [file, code],
  ]);
  return unusedTexts(files).map((line) => line.replace(/^panel\/texts\.ts:\d+ pageTexts\./, ''));
}

const imported = "import { pageTexts } from '../texts.ts';\n";

it.each([
  ['no use', '', all],
  ['a property', 'show(pageTexts.title);', all.slice(1)],
  ['an inner property', 'show(pageTexts.list.count(2));', all.slice(0, 4)],
  ['an object as a whole', 'show(pageTexts.list);', all.slice(0, 3)],
  ['a property by a variable', 'show(pageTexts.kinds[kind]);', ['title', 'list.none', 'list.count']],
  ['a property of a text', 'show(pageTexts.title.length);', all.slice(1)],
  ['a spread', 'const all = { ...pageTexts };', []],
  ['a type', 'type Kind = keyof typeof pageTexts.kinds;', ['title', 'list.none', 'list.count']],
  ['another name for a part', 'const texts = pageTexts.list;\nshow(texts.none);', [...all.slice(0, 3), 'list.count']],
  [
    'names for parts',
    'const { list: texts, title } = pageTexts;\nshow(texts.none, title);',
    ['kinds.a', 'kinds.b', 'list.count'],
  ],
  ['an exported part', 'export const texts = pageTexts.list;', all.slice(0, 3)],
  ['a part with another type', 'const texts: Texts = pageTexts.list;', all.slice(0, 3)],
  ['the same name of something else', 'show(other.pageTexts.title, { pageTexts: 1 });', all],
])('unusedTexts finds the entries that %s leaves unused', (_name, code, expected) => {
  expect(unusedIn('panel/list/list.ts', imported + code)).toEqual(expected);
});

it.each([
  ['a text', '<p>{{ texts.title }}</p>', all.slice(1)],
  [
    'an attribute',
    '<p :title="texts.title" @click="show(texts.list.none); close()" />',
    ['kinds.a', 'kinds.b', 'list.count'],
  ],
  ['a short attribute', '<List :texts />', []],
  ['a loop', '<p v-for="kind of texts.kinds" v-if="kind === texts.title" />', ['list.none', 'list.count']],
  ['a slot', '<List><template #item="{ a = texts.title }">{{ a }}</template></List>', all.slice(1)],
  ['an attribute of another name', '<List texts="texts" :title="1">texts</List>', all],
])('unusedTexts finds the entries that %s of a Vue template leaves unused', (_name, template, expected) => {
  const script = "<script setup>\nimport { pageTexts as texts } from './texts.ts';\n</script>\n";
  expect(unusedIn('panel/List.vue', `${script}<template>${template}</template>`)).toEqual(expected);
});

it('unusedTexts states the file and the line of an unused entry', () => {
  expect(unusedTexts(new Map([['panel/texts.ts', catalogue]]))[1]).toBe('panel/texts.ts:3 pageTexts.kinds.a');
});

it.each([
  ['an object of another file without the name', 'panel/list.ts', 'export const kinds = { a: 1 };', []],
  ['an object of a `texts.ts`', 'panel/texts.ts', 'export const kinds = { a: 1 };', ['panel/texts.ts:1 kinds.a']],
  ['an object that is not exported', 'panel/texts.ts', 'const kinds = { a: 1 };', []],
  ['an entry that its own catalogue uses', 'a/texts.ts', 'export const aTexts = { a: 1 };\nshow(aTexts.a);', []],
])('unusedTexts finds or excludes %s', (_name, path, code, expected) => {
  expect(unusedTexts(new Map([[path, code]]))).toEqual(expected);
});
