/** The history of a resource that can’t be read is unknown, not empty. */
import { afterEach, expect, it, vi } from 'vitest';
import { answerAsManagers } from '../../../fixtures/managerAnswers.ts';
import { mounted } from '../../../fixtures/mounted.ts';
import { servedResource } from '../../../fixtures/resources.ts';
import { resourceRow } from '../../../managers/resource/resourceRow.ts';
import { resourcesTexts } from '../texts.ts';
import ResourceHistory from './ResourceHistory.vue';

afterEach(() => void vi.unstubAllGlobals());
const row = resourceRow(servedResource('A'));

it('claims no changes only where the manager has none', async () => {
  answerAsManagers({ resource: () => [] });
  const { page } = mounted(ResourceHistory, { row });
  await vi.waitFor(() => expect(page.getByText(resourcesTexts.history.none)).toBeTruthy());
});

it('claims nothing while the manager fails', async () => {
  answerAsManagers({ resource: () => Response.json({ detail: 'no database' }, { status: 503 }) });
  const { page } = mounted(ResourceHistory, { row });
  await vi.waitFor(() => expect(page.getByText(/no database/)).toBeTruthy());
  expect(page.queryByText(resourcesTexts.history.none)).toBeNull();
});
