import { describe, expect, it } from 'vitest';
import { pageLink, pictureName } from './links.ts';
import { renderPage } from './render.ts';
import { renderGuideSite } from './site.ts';

const getSize = () => ({ width: 640, height: 400 });

describe('the references of the guide', () => {
  it.each([
    ['first-start.md', 'first-start.html'],
    ['first-start.md#the-tray', 'first-start.html#the-tray'],
    ['#clocks', '#clocks'],
    ['README.md', 'index.html'],
    ['../settings.md', 'all-settings.html'],
    ['https://example.org/a', 'https://example.org/a'],
  ])('are converted: %s becomes %s', (target, link) => {
    expect(pageLink(target, 'a.md')).toBe(link);
  });

  it.each(['../adr/0001.md', '../../CONTRIBUTING.md', 'file:///etc/passwd', 'javascript:alert(1)'])(
    'are refused with an error that names the page: %s',
    (target) => {
      expect(() => pageLink(target, 'a.md')).toThrow(/docs\/guide\/a\.md/);
    },
  );

  it('include only pictures in the screenshots folder', () => {
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
  const page = renderPage('when.md', markdown, getSize);

  it('has the same anchors as on GitHub and lists its headings', () => {
    expect(page).toMatchObject({ name: 'when', title: 'When “it” fails', pictures: ['lab.png'] });
    expect(page.headings).toEqual([{ anchor: 'pages-cors', text: 'Pages (CORS)' }]);
    expect(page.html).toContain('<h2 id="pages-cors">');
  });

  it('opens web links in a new window, sets the size of pictures and escapes code', () => {
    expect(page.html).toContain('<a href="https://example.org" target="_blank" rel="noreferrer">the web</a>');
    expect(page.html).toContain(
      '<img src="pictures/lab.png" alt="A picture" width="640" height="400" loading="lazy" />',
    );
    expect(page.html).toContain('<code>a &lt;b&gt;</code>');
  });

  it('is split into sections without markup for the search', () => {
    expect(page.sections).toEqual([
      {
        page: 'when.html',
        anchor: 'when-it-fails',
        title: 'When “it” fails',
        pageTitle: 'When “it” fails',
        text: 'Look at the web & at a <b>.',
      },
      {
        page: 'when.html',
        anchor: 'pages-cors',
        title: 'Pages (CORS)',
        pageTitle: 'When “it” fails',
        text: 'a b one two three four',
      },
    ]);
  });

  it.each(['<script>alert(1)</script>', 'a <b>bold</b> word'])('is refused when it contains HTML (%s)', (html) => {
    expect(() => renderPage('when.md', `# A\n\n${html}\n`, getSize)).toThrow(/docs\/guide\/when\.md contains raw HTML/);
  });
});

it('the pages are listed in the order of the links on the first page, with all settings last', () => {
  const { files } = renderGuideSite(
    { 'README.md': '# Guide\n\n[b](b.md), [a](a.md)\n', 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '# C\n' },
    'body {}',
    getSize,
  );
  const links = [...(files['a.html'] ?? '').matchAll(/<li><a href="([\w-]+)\.html"/g)].map(([, name]) => name);
  expect(links).toEqual(['index', 'b', 'a', 'c', 'all-settings']);
  expect(files['a.html']).toContain('<a href="a.html" aria-current="page">A</a>');
  expect(files['all-settings.html']).toContain('LAB_SERVER_URL');
});
