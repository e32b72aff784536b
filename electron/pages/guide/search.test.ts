import { describe, expect, it } from 'vitest';
import { searchGuide, type Section } from './search.ts';

const section = (title: string, text: string, pageTitle = 'Troubleshooting'): Section => ({
  page: 'a.html',
  anchor: title.toLowerCase(),
  title,
  pageTitle,
  text,
});
const sections = [
  section('Clocks', 'Each manager’s clock against this machine’s.'),
  section('Names', 'A name server that doesn’t answer. The clock of nobody.'),
  section('Café', `${'word '.repeat(60)}The port is taken by another program. ${'word '.repeat(60)}`),
];
const titles = (query: string): string[] => searchGuide(sections, query).map(({ section: { title } }) => title);

describe('the search of the guide', () => {
  it.each([
    ['clock', ['Clocks', 'Names']],
    ['CLOCK manager’s', ['Clocks']],
    ["manager's", ['Clocks']],
    ['cafe', ['Café']],
    ['troubleshooting', []],
    ['clock nowhere', []],
    ['  ', []],
  ])('finds $1 for “%s”, best first', (query, titlesFound) => {
    expect(titles(query)).toEqual(titlesFound);
  });

  it('shows the match in its sentence', () => {
    const [result] = searchGuide(sections, 'port taken');
    const excerpt = result?.excerpt ?? [];
    expect(excerpt.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['port', 'taken']);
    const text = excerpt.map((part) => part.text).join('');
    expect(text).toMatch(/^… .*The port is taken by another program\..* …$/);
    expect(text.length).toBeLessThan(170);
  });

  it('shows the start of the section for a match in its heading', () => {
    expect(searchGuide(sections, 'names')[0]?.excerpt[0]?.text).toMatch(/^A name/);
  });
});
