/** The interactive parts of the guide's pages: search, its keyboard shortcuts, and Esc, which closes the app's window. */
import { errorText } from '../../../api/errorText.ts';
import { searchGuide, type Result, type Section } from './search.ts';

function element<Type extends Element>(selector: string): Type {
  const found = document.querySelector<Type>(selector);
  if (found === null) throw new Error(`The page has no ${selector}`);
  return found;
}

const form = element<HTMLFormElement>('form[role=search]');
const field = element<HTMLInputElement>('input[type=search]');
const results = element<HTMLElement>('#results');
const article = element<HTMLElement>('article');

let sections: Promise<readonly Section[]> | null = null;

async function allSections(): Promise<readonly Section[]> {
  const response = await fetch('search.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as readonly Section[];
}

function resultRow({ section, excerpt }: Result): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `${section.page}#${section.anchor}`;
  link.textContent = section.title;
  const where = document.createElement('span');
  where.className = 'where';
  where.textContent = section.title === section.pageTitle ? '' : section.pageTitle;
  const text = document.createElement('p');
  for (const { text: part, isMatch: found } of excerpt) {
    if (!found) text.append(part);
    else text.append(Object.assign(document.createElement('mark'), { textContent: part }));
  }
  const row = document.createElement('li');
  row.append(link, ' ', where, text);
  return row;
}

async function search(): Promise<void> {
  const query = field.value.trim();
  const isOpen = query !== '';
  results.hidden = !isOpen;
  article.hidden = isOpen;
  if (!isOpen) return;
  const heading = Object.assign(document.createElement('h1'), { textContent: 'Search results' });
  const count = document.createElement('p');
  count.setAttribute('role', 'status');
  try {
    sections ??= allSections();
    const found = searchGuide(await sections, query);
    // The query has changed since the request.
    if (query !== field.value.trim()) return;
    const list = document.createElement('ul');
    list.append(...found.map(resultRow));
    results.replaceChildren(heading, count, list);
    count.textContent =
      found.length === 0
        ? `Nothing found for “${query}”.`
        : found.length === 1
          ? '1 result'
          : `${found.length} results`;
  } catch (error) {
    sections = null;
    results.replaceChildren(heading, count);
    count.textContent = `The search can’t be read: ${errorText(error)}. Reload the page.`;
  }
}

function clear(): void {
  field.value = '';
  void search();
}

/** Arrow keys move through the results, from the field and back to it. */
function moveSelection(event: KeyboardEvent, by: 1 | -1): void {
  const links = [...results.querySelectorAll<HTMLAnchorElement>('a')];
  const stops: readonly HTMLElement[] = [field, ...links];
  const now = stops.indexOf(document.activeElement as HTMLElement);
  if (results.hidden || now === -1) return;
  event.preventDefault();
  stops[Math.min(stops.length - 1, Math.max(0, now + by))]?.focus();
}

window.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowDown') moveSelection(event, 1);
  if (event.key === 'ArrowUp') moveSelection(event, -1);
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.select();
    field.focus();
  }
  if (event.key !== 'Escape') return;
  event.preventDefault();
  // In a browser tab, which no script opened, this has no effect.
  if (field.value === '') window.close();
  else clear();
});
field.addEventListener('input', () => void search());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
results.addEventListener('click', (event) => {
  // A link to the current page loads nothing, so the results are cleared here.
  if (event.target instanceof HTMLAnchorElement) clear();
});
// A new window of the app can load its page before it has a size, and then keeps the scroll position of that layout.
if (innerWidth === 0) {
  window.addEventListener('resize', () => document.querySelector(':target')?.scrollIntoView(), { once: true });
}
form.hidden = false;
if (field.value !== '') void search();
