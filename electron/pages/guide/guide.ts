/**
 * The interactive parts of the guide's pages: search, its keyboard shortcuts, and Esc, which closes the app's window.
 */
import { errorText } from '#api/errorText.ts';
import { searchGuide, type Result, type Section } from './search.ts';

function getElement<Type extends Element>(selector: string): Type {
  const match = document.querySelector<Type>(selector);
  if (match === null) throw new Error(`The page has no ${selector}`);
  return match;
}

const form = getElement<HTMLFormElement>('form[role=search]');
const field = getElement<HTMLInputElement>('input[type=search]');
const results = getElement<HTMLElement>('#results');
const article = getElement<HTMLElement>('article');

let sections: Promise<readonly Section[]> | null = null;

async function loadSections(): Promise<readonly Section[]> {
  const response = await fetch('search.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as readonly Section[];
}

function createResultRow({ section, excerpt }: Result): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `${section.page}#${section.anchor}`;
  link.textContent = section.title;
  const pageName = document.createElement('span');
  pageName.className = 'where';
  pageName.textContent = section.title === section.pageTitle ? '' : section.pageTitle;
  const text = document.createElement('p');
  for (const { text: part, isMatch } of excerpt) {
    if (!isMatch) text.append(part);
    else text.append(Object.assign(document.createElement('mark'), { textContent: part }));
  }
  const row = document.createElement('li');
  row.append(link, ' ', pageName, text);
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
    sections ??= loadSections();
    const matches = searchGuide(await sections, query);
    // The query has changed since the request.
    if (query !== field.value.trim()) return;
    const list = document.createElement('ul');
    list.append(...matches.map(createResultRow));
    results.replaceChildren(heading, count, list);
    count.textContent =
      matches.length === 0
        ? `Nothing found for “${query}”.`
        : matches.length === 1
          ? '1 result'
          : `${matches.length} results`;
  } catch (error) {
    sections = null;
    results.replaceChildren(heading, count);
    count.textContent = `The search index can’t be read: ${errorText(error)}. Reload the page.`;
  }
}

function clear(): void {
  field.value = '';
  void search();
}

/** Arrow keys move through the results, from the field and back to it. */
function moveSelection(event: KeyboardEvent, step: 1 | -1): void {
  const links = [...results.querySelectorAll<HTMLAnchorElement>('a')];
  const focusTargets: readonly HTMLElement[] = [field, ...links];
  const focusIndex = focusTargets.indexOf(document.activeElement as HTMLElement);
  if (results.hidden || focusIndex === -1) return;
  event.preventDefault();
  focusTargets[Math.min(focusTargets.length - 1, Math.max(0, focusIndex + step))]?.focus();
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
