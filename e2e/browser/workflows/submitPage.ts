/** The submit page as the browser tests use it: its parts by their names, and definitions that the demo lab can run. */
import type { Locator, Page } from 'playwright/test';
import type { DemoLab } from '../../../demo/lab/lab.ts';
import { expect } from '../../support/demoLab.ts';
import { submitTexts } from '../../../dashboard/panels/workflows/submit/texts.ts';

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: submitTexts.editorLabel });
export const problems = (page: Page): Locator => page.getByRole('region', { name: submitTexts.problems });
export const form = (page: Page): Locator => page.getByRole('region', { name: submitTexts.form });
export const checked = (page: Page): Locator => page.getByRole('region', { name: submitTexts.checkTitle });
/** What the editor offers at the cursor. */
export const offers = (page: Page): Locator => page.getByRole('listbox').getByRole('option');
/** Takes the selected offer: the editor takes no key for one that has been there for less than 75 ms. */
export async function acceptSuggestion(page: Page): Promise<void> {
  await expect(offers(page).first()).toBeVisible();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
}
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** The page with its editor loaded and the lab read: completion and checking know its nodes. */
export async function openSubmit(page: Page, url: string, query = ''): Promise<void> {
  const known = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/state' && response.request().method() === 'GET',
  );
  await page.goto(new URL(`workflows/submit${query}`, url).href);
  await expect(editor(page)).toBeVisible();
  await known;
}

/** A YAML file as it is chosen in the picker. */
export const yamlFile = (name: string, text: string) => ({
  name,
  mimeType: 'application/yaml',
  buffer: Buffer.from(text),
});

/**
 * In place of all that is written there. Not by `fill`, which selects in the document: when what the lab answered is
 * marked at that moment, the editor puts its own selection back, and the text would stand before the old one.
 */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** What the editor holds, line by line. */
export async function written(page: Page): Promise<string> {
  return (await editor(page).locator('.cm-line').allInnerTexts()).map((line) => line.replace(/^\n$/, '')).join('\n');
}

/** Where on the screen a word of the editor stands. */
export function middleOf(page: Page, word: string): Promise<[number, number]> {
  return editor(page).evaluate((content, requested) => {
    const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const start = text.textContent?.indexOf(requested) ?? -1;
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(text, start);
      range.setEnd(text, start + requested.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }
    throw new Error(`${requested} is not there`);
  }, word);
}

export const waits = `name: Wait for it
steps:
  - name: Wait
    action: wait
    args:
      seconds: 1
`;

export const countsBytes = `name: Count a document
parameters:
  json_inputs:
    - key: unit
      description: What to call it
      default: bytes
    - key: pause
      description: How long to wait first
  file_inputs:
    - key: document
      description: Any text
steps:
  - name: Wait
    action: wait
    use_parameters:
      args:
        seconds: pause
  - name: Count
    node: advanced_example_node
    action: count_bytes
    files:
      document: document
    use_parameters:
      args:
        unit: unit
`;

/** How often this page asked the workcell manager to take a definition, or to start one. */
export function questionsPosted(page: Page, lab: DemoLab) {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().startsWith(lab.context.workcell_server_url))
      seen.push(new URL(request.url()).pathname);
  });
  const count = (path: string) => seen.filter((each) => each === path).length;
  return { definitions: () => count('/workflow_definition'), starts: () => count('/workflow') };
}
