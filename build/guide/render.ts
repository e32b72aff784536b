/** A page of the guide: its Markdown as HTML, and its sections as plain text for the search. */
import { Marked, type Token, type Tokens } from 'marked';
import type { Section } from '../../electron/pages/guide/search.ts';
import { pageLink, pictureName } from './links.ts';

export interface GuidePage {
  /** `index` for the README, otherwise the file's name without its extension. */
  readonly name: string;
  readonly title: string;
  readonly html: string;
  /** The headings below the title, for the list of pages. */
  readonly headings: readonly { readonly anchor: string; readonly text: string }[];
  readonly sections: readonly Section[];
  /** File names of the pictures that it shows. */
  readonly pictures: readonly string[];
}

/** Width and height of a picture, in pixels. */
export type GetImageSize = (picture: string) => { readonly width: number; readonly height: number };

export function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character);
}

/**
 * Renders one page of the guide.
 * @param file its name in docs/guide
 * @throws Error for raw HTML, for a link out of the guide other than to a web address, or for a picture in another folder
 */
export function renderPage(file: string, markdown: string, getImageSize: GetImageSize): GuidePage {
  const pictures: string[] = [];
  const parser = new Marked({
    // A bare address is an example, not a link.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(toAnchor(textOfTokens(tokens, text)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = pageLink(href, file);
        const outside = /^https?:/.test(target) ? ' target="_blank" rel="noreferrer"' : '';
        return `<a href="${escapeHtml(target)}"${outside}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        const name = pictureName(href, file);
        pictures.push(name);
        const { width, height } = getImageSize(name);
        return `<img src="pictures/${name}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy" />`;
      },
      // Raw HTML would bypass the escaping.
      html({ text }) {
        throw new Error(`docs/guide/${file} contains raw HTML: ${text.trim()}`);
      },
    },
  });
  const tokens = parser.lexer(markdown.replaceAll(/<!--[\s\S]*?-->/g, ''));
  const name = file === 'README.md' ? 'index' : file.replace(/\.md$/, '');
  const sections = splitSections(`${name}.html`, tokens);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading' && token['depth'] === 2);
  return {
    name,
    title: sections[0]?.title ?? name,
    html: parser.parser(tokens),
    headings: headings.map(({ tokens: inner, text }) => ({
      anchor: toAnchor(textOfTokens(inner, text)),
      text: textOfTokens(inner, text),
    })),
    sections,
    pictures,
  };
}

/** Returns the sections of a page, each from one heading to the next. */
function splitSections(page: string, tokens: readonly Token[]): readonly Section[] {
  const sections: { page: string; anchor: string; title: string; pageTitle: string; text: string }[] = [];
  let title = '';
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === 'heading') {
      const text = textOfTokens(token.tokens, token.raw);
      if (title === '') title = text;
      sections.push({ page, anchor: toAnchor(text), title: text, pageTitle: title, text: '' });
    } else if (section) section.text = `${section.text} ${textOfTokens([token], '')}`.replaceAll(/\s+/g, ' ').trim();
  }
  return sections;
}

/** Returns the text of tokens without markup. */
function textOfTokens(tokens: readonly Token[] | undefined, fallback: string): string {
  if (tokens === undefined) return fallback;
  return tokens.map(plainText).join('');
}

function plainText(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows]
        .map((row) => row.map((cell) => textOfTokens(cell.tokens, cell.text)).join(' '))
        .join(' ');
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => textOfTokens(item.tokens, item.text)).join(' ');
    case 'image':
    case 'space':
      return ' ';
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? textOfTokens(token.tokens, '')
        : 'text' in token
          ? String(token.text)
          : '';
  }
}

/** Returns the link anchor of a heading, as GitHub generates it, so that links work on GitHub and in the app. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
