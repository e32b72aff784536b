/** Elements and styles that pages must not contain, because the shared components provide them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const dashboard = join(import.meta.dirname, '..');
const sources = readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:vue|css)$/.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(dashboard, path), 'utf8') }));

/** `file:line` of each match. */
function findMatches(pattern: RegExp, files: typeof sources): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

describe('the sources of the pages', () => {
  it('are found', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['app/App.vue', 'components/page/page.css', 'components/controls/Button.vue']),
    );
    expect(findMatches(/<button\b/, sources)).not.toEqual([]);
  });

  it('use only the buttons of components/', () => {
    const outside = sources.filter(({ path }) => !path.startsWith('components/'));
    expect(findMatches(/<button\b/, outside)).toEqual([]);
  });

  it('use no !important outside of reduced motion', () => {
    // Reduced motion is a setting of the user's whole system, so it overrides every style.
    const otherSources = sources.filter(({ path }) => path !== 'components/page/page.css');
    expect(findMatches(/!important/, otherSources)).toEqual([]);
    const page = sources.find(({ path }) => path === 'components/page/page.css')?.text ?? '';
    const beforeMotion = page.slice(0, page.indexOf('prefers-reduced-motion'));
    expect(beforeMotion).not.toContain('!important');
  });

  it('use CSS animations only in StateBadge, because the component library can wait forever for their end', () => {
    expect(findMatches(/^\s*animation(?:-name)?:/, sources).map((match) => match.replace(/:\d+$/, ''))).toEqual([
      'components/state/StateBadge.vue',
    ]);
  });
});
