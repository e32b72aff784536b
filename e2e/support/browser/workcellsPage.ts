/** Helpers for tests of the Workcells panel, and for changes to the lab by other clients. */
import { expect, type Locator, type Page } from 'playwright/test';
import type { DemoLab } from '#demo/lab/lab.ts';
import { workcellTexts } from '#dashboard/panels/workcells/texts.ts';
import { nodeCommandTexts } from '#dashboard/managers/commands/nodeCommandTexts.ts';
import { outcomeTexts } from '#dashboard/managers/commands/texts.ts';

/** Console messages about a manager that is unreachable or lacks CORS headers. */
export const failedRequestMessages =
  /ERR_FAILED|ERR_EMPTY_RESPONSE|CORS policy|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET/;

export function card(page: Page, name: string): Locator {
  return page
    .getByRole('list', { name: workcellTexts.caption })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
}
export const outcomes = (page: Page): Locator => page.getByRole('complementary', { name: outcomeTexts.region });

export async function openMenu(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: nodeCommandTexts.menu(name) }).click();
  return page.getByRole('menu', { name: nodeCommandTexts.menu(name) });
}

/** Chooses a command by its name in the menu of a node. */
export async function pressCommand(page: Page, node: string, name: string): Promise<void> {
  const menu = await openMenu(page, node);
  await menu.getByRole('menuitem', { name, exact: true }).click();
}

/** Sends a command as another page or program would. */
export async function sendCommand(lab: DemoLab, path: string): Promise<void> {
  const response = await fetch(`${lab.context.workcell_server_url}${path}`, { method: 'POST' });
  expect(response.ok, path).toBe(true);
}

/** Queues a workflow with one long action, and waits until the node executes it. */
export async function occupyNode(lab: DemoLab, name: string, seconds = 60): Promise<void> {
  const manager = lab.context.workcell_server_url;
  const steps = [
    { name: 'Shake', node: name, action: 'slow', args: { seconds } },
    { name: 'Rest', node: name, action: 'slow', args: { seconds: 1 } },
  ];
  const body = JSON.stringify({ name: 'Long assay', definition_metadata: { author: 'operator' }, steps });
  const headers = { 'content-type': 'application/json' };
  const id = (await (await fetch(`${manager}workflow_definition`, { method: 'POST', headers, body })).json()) as string;
  await fetch(`${manager}workflow`, { method: 'POST', body: new URLSearchParams({ workflow_definition_id: id }) });
  await expect.poll(() => lab.nodes.find((node) => node.name === name)?.status().busy).toBe(true);
}
