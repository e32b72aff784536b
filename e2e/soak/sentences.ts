/** The states that a page shows, read from its document. */
import type { Page } from 'playwright';

export interface PageContent {
  /** `workflow 01J…` or `node arm`, with the text of its badge. */
  readonly states: readonly { readonly subject: string; readonly text: string }[];
  /** The reasons for which workflows wait. */
  readonly waitTexts: readonly string[];
  readonly nodeWork: readonly { readonly node: string; readonly text: string; readonly workflow: string }[];
  /** The displayed start of the state of each node, and of each problem, ISO 8601; `null` if the page omits it. */
  readonly stateStarts: readonly { readonly node: string; readonly text: string; readonly since: string | null }[];
  /** The current step's row on a workflow's page: its state and its duration. */
  readonly step: { readonly state: string; readonly durationText: string } | null;
  /** The banner of a safety stop; `null` if there is none. */
  readonly stopBanner: string | null;
  /** Whether the page marks its data as stale. */
  readonly isStale: boolean;
}

/** Runs in the page, so it cannot use variables of this module. */
function readDocument(): PageContent {
  const id = /(?:workflows\/|open=)([0-9A-HJKMNP-TV-Z]{26})/;
  const text = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  // While the text changes, the old badge fades next to the new one.
  const badge = (inside: Element) =>
    [...inside.querySelectorAll('.badge')].findLast((element) => !element.className.includes('leave'));
  const states: { subject: string; text: string }[] = [];
  for (const row of document.querySelectorAll('.running li, [role=row].line')) {
    const match = id.exec(row.querySelector('a')?.getAttribute('href') ?? '');
    const rowBadge = badge(row);
    if (match?.[1] !== undefined && rowBadge !== undefined)
      states.push({ subject: `workflow ${match[1]}`, text: text(rowBadge) });
  }
  const nodeWork: { node: string; text: string; workflow: string }[] = [];
  const stateStarts: { node: string; text: string; since: string | null }[] = [];
  for (const card of document.querySelectorAll('li.node')) {
    const node = text(card.querySelector('.name'));
    states.push({ subject: `node ${node}`, text: text(badge(card)).replace(/: .*$/, '') });
    const link = card.querySelector('.message a')?.getAttribute('href') ?? '';
    const since = card.querySelector('.foot time')?.getAttribute('datetime') ?? null;
    stateStarts.push({ node, text: text(badge(card)), since });
    nodeWork.push({ node, text: text(card.querySelector('.message')), workflow: id.exec(link)?.[1] ?? '' });
  }
  for (const line of document.querySelectorAll('#attention-list li')) {
    const since = line.querySelector('.when')?.getAttribute('title') ?? null;
    stateStarts.push({ node: text(line.querySelector('.name')), text: text(line.querySelector('.reason')), since });
  }
  const facts = document.querySelector('header .workflow-facts, .workflow-facts');
  const subjectId = id.exec(location.pathname)?.[1];
  if (facts !== null && subjectId !== undefined) {
    // The step's name follows the text, after a colon.
    const stateText = text(badge(facts))
      .replace(/^((?:Running|Paused|Failed)[^:]* of \d+): .*$/, '$1')
      .replace(/^(Running: step \d+ of \d+ is next): .*$/, '$1');
    states.push({ subject: `workflow ${subjectId}`, text: stateText });
  }
  const current = document.querySelector('tr[aria-current=step]');
  return {
    states,
    nodeWork,
    stateStarts,
    waitTexts: [...document.querySelectorAll('.waiting')].map(text),
    step:
      current === null
        ? null
        : {
            state: text(badge(current.querySelector('.state') ?? current)),
            durationText: text(current.querySelector('.duration')),
          },
    stopBanner: document.querySelector('.stop-banner') === null ? null : text(document.querySelector('.stop-banner')),
    isStale: document.querySelector('main .stale') !== null,
  };
}

export function readPage(page: Page): Promise<PageContent> {
  return page.evaluate(readDocument);
}
