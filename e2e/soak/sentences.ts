/** What a page says about states, read from its document as a person sees it. */
import type { Page } from 'playwright';

export interface Read {
  /** `workflow 01J…` or `node arm` with the words of its badge. */
  readonly states: readonly { readonly about: string; readonly text: string }[];
  /** Sentences about what a workflow waits for, and what a node works on. */
  readonly waits: readonly string[];
  readonly works: readonly { readonly node: string; readonly text: string; readonly workflow: string }[];
  /** Since when something is as it is, ISO 8601 with its zone; `null` where the page leaves it out. */
  readonly sinces: readonly { readonly node: string; readonly text: string; readonly since: string | null }[];
  /** The current step's row on a workflow's page: its state and its duration. */
  readonly step: { readonly state: string; readonly took: string } | null;
  /** The banner of a safety stop; `null` where there is none. */
  readonly stop: string | null;
  /** Whether the page says that what it shows is old. */
  readonly stale: boolean;
}

/** Runs in the page: everything that it needs is in it. */
function readDocument(): Read {
  const id = /(?:workflows\/|open=)([0-9A-HJKMNP-TV-Z]{26})/;
  const text = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  // While its words change, the old badge fades beside the new one.
  const badge = (inside: Element) =>
    [...inside.querySelectorAll('.badge')].findLast((each) => !each.className.includes('leave'));
  const states: { about: string; text: string }[] = [];
  for (const row of document.querySelectorAll('.running li, [role=row].line')) {
    const found = id.exec(row.querySelector('a')?.getAttribute('href') ?? '');
    const message = badge(row);
    if (found?.[1] !== undefined && message !== undefined)
      states.push({ about: `workflow ${found[1]}`, text: text(message) });
  }
  const works: { node: string; text: string; workflow: string }[] = [];
  const sinces: { node: string; text: string; since: string | null }[] = [];
  for (const card of document.querySelectorAll('li.node')) {
    const node = text(card.querySelector('.name'));
    states.push({ about: `node ${node}`, text: text(badge(card)).replace(/: .*$/, '') });
    const link = card.querySelector('.words a')?.getAttribute('href') ?? '';
    const since = card.querySelector('.foot time')?.getAttribute('datetime') ?? null;
    sinces.push({ node, text: text(badge(card)), since });
    works.push({ node, text: text(card.querySelector('.words')), workflow: id.exec(link)?.[1] ?? '' });
  }
  for (const line of document.querySelectorAll('#attention-list li')) {
    const since = line.querySelector('.when')?.getAttribute('title') ?? null;
    sinces.push({ node: text(line.querySelector('.name')), text: text(line.querySelector('.reason')), since });
  }
  const facts = document.querySelector('header .facts-of, .facts-of');
  const own = id.exec(location.pathname)?.[1];
  if (facts !== null && own !== undefined) {
    // The step's name stands behind the words, after a colon.
    const message = text(badge(facts))
      .replace(/^((?:Running|Paused|Failed)[^:]* of \d+): .*$/, '$1')
      .replace(/^(Running: step \d+ of \d+ is next): .*$/, '$1');
    states.push({ about: `workflow ${own}`, text: message });
  }
  const current = document.querySelector('tr[aria-current=step]');
  return {
    states,
    works,
    sinces,
    waits: [...document.querySelectorAll('.waiting')].map(text),
    step:
      current === null
        ? null
        : {
            state: text(badge(current.querySelector('.state') ?? current)),
            took: text(current.querySelector('.took')),
          },
    stop: document.querySelector('.stop-banner') === null ? null : text(document.querySelector('.stop-banner')),
    stale: document.querySelector('main .stale') !== null,
  };
}

export function readPage(page: Page): Promise<Read> {
  return page.evaluate(readDocument);
}
