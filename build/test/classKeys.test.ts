import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'vue/compiler-sfc';

const root = join(import.meta.dirname, '..', '..');
const files = ['dashboard', 'electron/pages'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:vue|css)$/.test(name))
    .map((name) => join(folder, name)),
);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Returns the keys of the objects in a `:class` binding. */
function classKeys(binding: string): string[] {
  const objects = binding.match(/\{[^{}]*\}/g) ?? [];
  return objects.flatMap((object) =>
    [...object.matchAll(/[{,]\s*(?:'([\w -]+)'|(\w+))\s*(?=[:,}])/g)].flatMap(([, quoted, plain]) =>
      (quoted ?? plain ?? '').split(' '),
    ),
  );
}

const styledClasses = (css: string): string[] => [...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? '');

it('every conditional class of a template has a rule that applies to its component', () => {
  const components = files
    .filter((file) => file.endsWith('.vue'))
    .map((file) => {
      const text = read(file);
      const styles = parse(text, { filename: file }).descriptor.styles.map(({ scoped, src, content }) => {
        const sheet = src === undefined ? null : join(dirname(file), src);
        return { isScoped: scoped === true, sheet, css: sheet === null ? content : read(sheet) };
      });
      const bindings = [...text.matchAll(/:class="([^"]*)"/g)].map(([, binding]) => binding ?? '');
      return { file, styles, bindings };
    });
  const allStyles = components.flatMap(({ styles }) => styles);
  const scopedSheets = new Set(allStyles.flatMap(({ isScoped, sheet }) => (isScoped ? [sheet] : [])));
  const globalClasses = new Set(
    [
      ...files.filter((file) => file.endsWith('.css') && !scopedSheets.has(file)).map(read),
      ...allStyles.flatMap(({ isScoped, css }) => (isScoped ? [] : [css])),
    ].flatMap(styledClasses),
  );
  expect(components.flatMap(({ bindings }) => bindings).length).toBeGreaterThan(80);
  const unstyled = components.flatMap(({ file, styles, bindings }) => {
    const componentClasses = new Set(styles.flatMap(({ css }) => styledClasses(css)));
    return bindings
      .flatMap(classKeys)
      .filter((key) => !componentClasses.has(key) && !globalClasses.has(key))
      .map((key) => `${file}: ${key}`);
  });
  expect(unstyled).toEqual([]);
});
