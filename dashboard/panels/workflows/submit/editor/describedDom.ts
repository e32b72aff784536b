/** The description of an action as elements: the editor's tooltips are outside of Vue. */
import type { Description } from '../../definition/describe.ts';

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  className = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

export function describedDom({ title, about, groups }: Description): HTMLElement {
  const box = element('section', '', 'described');
  box.append(element('h3', title));
  if (about !== '') box.append(element('p', about));
  for (const group of groups) {
    box.append(element('h4', group.title));
    const list = element('ul', '');
    for (const { name, type, note, about: words } of group.items) {
      const item = element('li', '');
      const rest = [type, note, words].filter((part) => part !== '').join(' · ');
      item.append(element('code', name), element('span', ` ${rest}`, 'muted'));
      list.append(item);
    }
    box.append(list);
  }
  return box;
}
