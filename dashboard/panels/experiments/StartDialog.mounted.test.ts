/** The dialog suggests campaigns by name and validates the owners of an experiment at their fields. */
import { expect, it, vi } from 'vitest';
import { respondAsManagers } from '../../fixtures/managerResponses.ts';
import { click, fill, mountComponent, type Mounted } from '../../fixtures/mounted.ts';
import { sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { toExperimentRow } from './rows.ts';
import StartDialog from './StartDialog.vue';
import { experimentsTexts } from './texts.ts';

const texts = experimentsTexts.starting;
const campaign = '01M7YEZGAZMTTE3RWYNVGA29Z5';

it('the start dialog suggests campaigns by name and rejects an invalid ID at its field', async () => {
  const requests = respondAsManagers({
    experiment: ({ path }) =>
      path.startsWith('/campaigns') ? [{ campaign_id: campaign, campaign_name: 'Salt tolerance' }] : undefined,
  });
  const loadedRows = [
    toExperimentRow(sampleExperiment('E', { ownership_info: { campaign_id: campaign } }), () => null, 0),
  ];
  const { page } = mountComponent(StartDialog, { loadedRows });
  await fill(await vi.waitFor(() => page.getByLabelText(texts.name)), 'Growth');
  const field = page.getByLabelText(texts.campaign);
  await fill(field, 'salt');
  expect(page.getAllByText(texts.noCampaign('salt'))).toHaveLength(1);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await click(page.getByRole('button', { name: texts.start }));
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  await fill(field, campaign);
  expect(page.queryByText(texts.noCampaign('salt'))).toBeNull();
  await vi.waitFor(() => expect(page.getAllByText(/Salt tolerance/).length).toBeGreaterThan(0));
});

it.each([
  [
    'the name of a campaign',
    (page: Mounted['page']) => fill(page.getByLabelText(texts.campaign), 'salt tolerance'),
    campaign,
  ],
  [
    'a new campaign',
    (page: Mounted['page']) => click(page.getByRole('button', { name: 'New campaign' })),
    expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  ],
])('the start dialog sends the ID for %s', async (_what, choose, expected) => {
  const requests = respondAsManagers({
    experiment: ({ path }) =>
      path.startsWith('/campaigns')
        ? [{ campaign_id: campaign, campaign_name: 'Salt tolerance' }]
        : sampleExperiment('E'),
  });
  const owner = { ownership_info: { campaign_id: campaign } };
  const loadedRows = [toExperimentRow(sampleExperiment('E', owner), () => null, 0)];
  const { page } = mountComponent(StartDialog, { loadedRows });
  await fill(await vi.waitFor(() => page.getByLabelText(texts.name)), 'Growth');
  await choose(page);
  // Nothing is sent before the address of the manager is known.
  await vi.waitFor(() => expect(requests.some(({ path }) => path.startsWith('/campaigns'))).toBe(true));
  await vi.waitFor(() => expect(page.queryByText(texts.noCampaign('salt tolerance'))).toBeNull());
  await click(page.getByRole('button', { name: texts.start }));
  await vi.waitFor(() =>
    expect(requests.find(({ method }) => method === 'POST')?.body).toMatchObject({
      experiment_design: { ownership_info: { campaign_id: expected } },
    }),
  );
});

it('the start dialog does not choose between two campaigns of the same name', async () => {
  const ids = [campaign, '01M7YEZGAZMTTE3RWYNVGA29Z6'];
  const requests = respondAsManagers({
    experiment: ({ path }) =>
      path.startsWith('/campaigns')
        ? ids.map((campaign_id) => ({ campaign_id, campaign_name: 'Salt tolerance' }))
        : sampleExperiment('E'),
  });
  const loadedRows = ids.map((campaign_id) =>
    toExperimentRow(sampleExperiment(`of ${campaign_id}`, { ownership_info: { campaign_id } }), () => null, 0),
  );
  const { page } = mountComponent(StartDialog, { loadedRows });
  await fill(await vi.waitFor(() => page.getByLabelText(texts.name)), 'Growth');
  await fill(page.getByLabelText(texts.campaign), 'Salt tolerance');
  await vi.waitFor(() =>
    expect(
      page.getAllByText('Several campaigns have the name “Salt tolerance”: choose one from the list.'),
    ).toHaveLength(1),
  );
  await click(page.getByRole('button', { name: texts.start }));
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
