import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const files = ['dashboard', 'electron/pages'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:vue|css)$/.test(name))
    .map((name) => join(folder, name)),
);
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Returns the keys of the objects in a `:class` binding. */
function classKeys(binding: string): string[] {
  const objects = binding.match(/\{[^{}]*\}/g) ?? [];
  return objects.flatMap((object) =>
    [...object.matchAll(/[{,]\s*(?:'([\w -]+)'|(\w+))\s*(?=[:,}])/g)].flatMap(([, quoted, plain]) =>
      (quoted ?? plain ?? '').split(' '),
    ),
  );
}

it('every conditional class of a template has a rule in a style sheet', () => {
  const styles = sources.map(({ file, text }) =>
    file.endsWith('.css')
      ? text
      : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style]) => style).join(''),
  );
  const styled = new Set(styles.flatMap((style) => [...style.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name)));
  const bindings = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/:class="([^"]*)"/g)].map(([, binding]) => ({ file, binding: binding ?? '' })),
  );
  expect(bindings.length).toBeGreaterThan(80);
  const unstyled = bindings.flatMap(({ file, binding }) =>
    classKeys(binding).flatMap((key) => (styled.has(key) ? [] : [`${file}: ${key}`])),
  );
  expect(unstyled).toEqual([]);
});
