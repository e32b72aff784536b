/** The submit page for the browser tests: its elements by name, and definitions that the demo lab can run. */
import type { Locator, Page } from 'playwright/test';
import type { DemoLab } from '#demo/lab/lab.ts';
import { expect } from '../../support/demoLab.ts';
import { submitTexts } from '#dashboard/panels/workflows/submit/texts.ts';

export const editor = (page: Page): Locator => page.getByRole('textbox', { name: submitTexts.editorLabel });
export const problems = (page: Page): Locator => page.getByRole('region', { name: 'Problems' });
export const form = (page: Page): Locator => page.getByRole('region', { name: submitTexts.form });
export const checkRegion = (page: Page): Locator => page.getByRole('region', { name: 'Check before sending' });
/** The suggestions at the cursor. */
export const suggestions = (page: Page): Locator => page.getByRole('listbox').getByRole('option');
/** Accepts the selected suggestion. The editor ignores keys for a suggestion that was shown less than 75 ms ago. */
export async function acceptSuggestion(page: Page): Promise<void> {
  await expect(suggestions(page).first()).toBeVisible();
  await page.waitForTimeout(100);
  await page.keyboard.press('Enter');
}
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Opens the page and waits until its editor is loaded and the lab is read, for suggestions and checks. */
export async function openSubmit(page: Page, url: string, query = ''): Promise<void> {
  const labRead = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/state' && response.request().method() === 'GET',
  );
  await page.goto(new URL(`workflows/submit${query}`, url).href);
  await expect(editor(page)).toBeVisible();
  await labRead;
}

/** Returns a YAML file for the file picker. */
export const yamlFile = (name: string, text: string) => ({
  name,
  mimeType: 'application/yaml',
  buffer: Buffer.from(text),
});

/**
 * Replaces the text of the editor. `fill` selects in the document: when problems are marked at that moment, the editor
 * restores its own selection and the new text is inserted before the old one.
 */
export async function write(page: Page, text: string): Promise<void> {
  await editor(page).press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Returns the text of the editor. */
export async function readDefinitionText(page: Page): Promise<string> {
  return (await editor(page).locator('.cm-line').allInnerTexts()).map((line) => line.replace(/^\n$/, '')).join('\n');
}

/** Returns the centre of a word in the editor, in page coordinates. */
export function findMiddle(page: Page, word: string): Promise<[number, number]> {
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
    throw new Error(`The editor does not contain ${requested}`);
  }, word);
}

export const waitDefinition = `name: Wait for it
steps:
  - name: Wait
    action: wait
    args:
      seconds: 1
`;

export const countBytesDefinition = `name: Count a document
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

/** Counts this page's requests to the workcell manager that submit a definition or start a workflow. */
export function countSubmissions(page: Page, lab: DemoLab) {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().startsWith(lab.context.workcell_server_url))
      requests.push(new URL(request.url()).pathname);
  });
  const count = (path: string) => requests.filter((requestPath) => requestPath === path).length;
  return { definitions: () => count('/workflow_definition'), starts: () => count('/workflow') };
}
