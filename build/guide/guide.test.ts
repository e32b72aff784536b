import { describe, expect, it } from 'vitest';
import { pageLink, pictureName } from './links.ts';
import { renderPage } from './render.ts';
import { guideSite } from './site.ts';

const sizeOf = () => ({ width: 640, height: 400 });

describe('links of the guide', () => {
  it.each([
    ['first-start.md', 'first-start.html'],
    ['first-start.md#the-tray', 'first-start.html#the-tray'],
    ['#clocks', '#clocks'],
    ['README.md', 'index.html'],
    ['../settings.md', 'all-settings.html'],
    ['https://example.org/a', 'https://example.org/a'],
  ])('%s becomes %s', (target, link) => {
    expect(pageLink(target, 'a.md')).toBe(link);
  });

  it.each(['../adr/0001.md', '../../CONTRIBUTING.md', 'file:///etc/passwd', 'javascript:alert(1)'])(
    '%s is refused, with its page',
    (target) => {
      expect(() => pageLink(target, 'a.md')).toThrow(/docs\/guide\/a\.md/);
    },
  );

  it('pictures come from the screenshots alone', () => {
    expect(pictureName('../screenshots/lab.png', 'a.md')).toBe('lab.png');
    expect(() => pictureName('../../secret.png', 'a.md')).toThrow(/docs\/guide\/a\.md/);
  });
});

describe('a page of the guide', () => {
  const markdown = `# When “it” fails

Look at [the web](https://example.org) & at \`a <b>\`.

![A picture](../screenshots/lab.png)

## Pages (CORS)

| a | b |
| - | - |
| one | \`two\` |

- three
- four
`;
  const page = renderPage('when.md', markdown, sizeOf);

  it('has anchors as GitHub makes them, and its headings in the list', () => {
    expect(page).toMatchObject({ name: 'when', title: 'When “it” fails', pictures: ['lab.png'] });
    expect(page.headings).toEqual([{ anchor: 'pages-cors', text: 'Pages (CORS)' }]);
    expect(page.html).toContain('<h2 id="pages-cors">');
  });

  it('opens the web elsewhere, shows pictures with their size, and keeps code as it is', () => {
    expect(page.html).toContain('<a href="https://example.org" target="_blank" rel="noreferrer">the web</a>');
    expect(page.html).toContain(
      '<img src="pictures/lab.png" alt="A picture" width="640" height="400" loading="lazy" />',
    );
    expect(page.html).toContain('<code>a &lt;b&gt;</code>');
  });

  it('is searched by section, without marks', () => {
    expect(page.sections).toEqual([
      {
        page: 'when.html',
        anchor: 'when-it-fails',
        title: 'When “it” fails',
        of: 'When “it” fails',
        text: 'Look at the web & at a <b>.',
      },
      {
        page: 'when.html',
        anchor: 'pages-cors',
        title: 'Pages (CORS)',
        of: 'When “it” fails',
        text: 'a b one two three four',
      },
    ]);
  });

  it.each(['<script>alert(1)</script>', 'a <b>bold</b> word'])('with HTML of its own (%s) is refused', (html) => {
    expect(() => renderPage('when.md', `# A\n\n${html}\n`, sizeOf)).toThrow(/docs\/guide\/when\.md has HTML/);
  });
});

it('lists the pages as the first one names them, every setting last', () => {
  const { files } = guideSite(
    { 'README.md': '# Guide\n\n[b](b.md), [a](a.md)\n', 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n' },
    'body {}',
    sizeOf,
  );
  const links = [...(files['a.html'] ?? '').matchAll(/<li><a href="([\w-]+)\.html"/g)].map(([, name]) => name);
  expect(links).toEqual(['index', 'b', 'a', 'c', 'all-settings']);
  expect(files['a.html']).toContain('<a href="a.html" aria-current="page">A</a>');
  expect(files['all-settings.html']).toContain('LAB_SERVER_URL');
});
