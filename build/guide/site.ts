/** The guide as static pages: a list of pages, a search, and each page of docs/guide. */
import { themeStyleSheet } from '../../api/themeColors.ts';
import { appIconSvg } from '../icons/appIcon.ts';
import { settingsPage } from './links.ts';
import { renderSettingsPage } from './settingsPage.ts';
import { escapeHtml, renderPage, type GuidePage, type GetImageSize } from './render.ts';

export interface GuideSite {
  /** Pages, search index, icon and style sheet by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** File names in docs/screenshots. */
  readonly pictures: readonly string[];
}

/**
 * @param pages the Markdown by file name
 * @param style the pages' style sheet, without the colours
 */
export function renderGuideSite(
  pages: Readonly<Record<string, string>>,
  style: string,
  getImageSize: GetImageSize,
): GuideSite {
  const all = { ...pages, [`${settingsPage}.md`]: renderSettingsPage() };
  const rendered = Object.entries(all).map(([file, text]) => renderPage(file, text, getImageSize));
  const ordered = sortByReadingOrder(rendered, pages['README.md'] ?? '');
  const html = ordered.map((page) => [`${page.name}.html`, renderDocument(page, ordered)]);
  return {
    files: {
      ...Object.fromEntries(html),
      'search.json': JSON.stringify(ordered.flatMap(({ sections }) => sections)),
      'icon.svg': appIconSvg(64),
      'guide.css': `${themeStyleSheet()}\n${style}`,
    },
    pictures: [...new Set(ordered.flatMap(({ pictures }) => pictures))],
  };
}

/** Sorts pages as the first page lists them; unlisted pages come last. */
function sortByReadingOrder(pages: readonly GuidePage[], readme: string): readonly GuidePage[] {
  const linkedNames = [...readme.matchAll(/\]\(([\w-]+)\.md/g)].map(([, name = '']) => name);
  const position = ({ name }: GuidePage): number => {
    if (name === 'index') return -1;
    if (name === settingsPage) return linkedNames.length + 1;
    return linkedNames.includes(name) ? linkedNames.indexOf(name) : linkedNames.length;
  };
  return pages.toSorted((a, b) => position(a) - position(b) || a.name.localeCompare(b.name));
}

function renderDocument(page: GuidePage, pages: readonly GuidePage[]): string {
  const title = page.name === 'index' ? page.title : `${page.title} – User guide`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="icon.svg" />
    <link rel="stylesheet" href="guide.css" />
    <script type="module" src="guide.js"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to content</a>
    <header>
      <a class="home" href="index.html">Lab Manager user guide</a>
      <form role="search" hidden>
        <input type="search" aria-label="Search the guide" placeholder="Search the guide" autocomplete="off" spellcheck="false" />
        <kbd aria-hidden="true">/</kbd>
      </form>
    </header>
    <nav aria-label="Pages">
      <ul>
${pages.map((each) => renderEntry(each, page)).join('\n')}
      </ul>
    </nav>
    <main id="content" tabindex="-1">
      <section id="results" aria-label="Search results" hidden></section>
      <article>
${page.html}
      </article>
    </main>
  </body>
</html>
`;
}

/** Renders a page's entry in the list of pages; the current page is listed with its headings. */
function renderEntry({ name, title, headings }: GuidePage, current: GuidePage): string {
  const isCurrent = name === current.name;
  const headingItems = headings.map(
    ({ anchor, text }) => `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  );
  const list = isCurrent && headingItems.length > 0 ? `<ul>${headingItems.join('')}</ul>` : '';
  return `<li><a href="${name}.html"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>${list}</li>`;
}
