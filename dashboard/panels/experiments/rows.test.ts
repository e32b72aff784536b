import { describe, expect, it } from 'vitest';
import type { Experiment } from '#api/managers/experiment.ts';
import { formatCsv } from '../../components/table/rows/csv.ts';
import { getCellText } from '../../components/table/rows/tableRows.ts';
import { createExperimentColumns } from './columns.ts';
import { groupByCampaign, toExperimentRow } from './rows.ts';
import { experimentsTexts } from './texts.ts';

const parseStamp = (stamp: string | null | undefined): number | null =>
  stamp === null || stamp === undefined ? null : Number(stamp);
const experiment = (id: string, overrides: Partial<Experiment> = {}): Experiment => ({
  _id: id,
  status: 'completed',
  ownership_info: {},
  started_at: '1000',
  ended_at: '61000',
  ...overrides,
});
const row = (id: string, overrides: Partial<Experiment> = {}) =>
  toExperimentRow(experiment(id, overrides), parseStamp, 121_000);

describe('the row of an experiment', () => {
  it('has the names of the design and the run', () => {
    const design = { experiment_name: 'Growth' };
    expect(row('a', { run_name: 'Growth · Run 7', experiment_design: design })).toMatchObject({
      name: 'Growth · Run 7',
      design: 'Growth',
    });
    expect(row('a', { experiment_design: design }).name).toBe('Growth');
    expect(row('a', { experiment_design: null }).name).toBe(experimentsTexts.unnamed);
  });

  it('an experiment has an end only if it is completed, even if the manager stored one before', () => {
    expect(row('a', { status: 'in_progress' })).toMatchObject({
      ended: null,
      duration: { ms: 120_000, isEstimated: false },
    });
    expect(row('a')).toMatchObject({ ended: 61_000, duration: { ms: 60_000, isEstimated: false } });
    expect(row('a', { status: 'failed', ended_at: null })).toMatchObject({ ended: null, duration: null });
  });

  it('has the campaign of the experiment, else of its design', () => {
    const design = { experiment_name: 'Growth', ownership_info: { campaign_id: 'D' } };
    expect(row('a', { experiment_design: design }).campaign).toBe('D');
    expect(row('a', { experiment_design: design, ownership_info: { campaign_id: 'C' } }).campaign).toBe('C');
  });
});

describe('the rows of campaigns', () => {
  const inCampaign = (id: string, campaign: string, overrides: Partial<Experiment> = {}) =>
    row(id, { ownership_info: campaign === '' ? {} : { campaign_id: campaign }, ...overrides });

  it('contain their runs with counts by state, newest campaign first and runs without a campaign last', () => {
    const campaigns = groupByCampaign([
      inCampaign('1', ''),
      inCampaign('2', 'old'),
      inCampaign('3', 'new', { started_at: '2000', status: 'failed' }),
      inCampaign('4', 'new', { started_at: '3000' }),
      inCampaign('5', 'new', { started_at: '1500' }),
    ]);
    expect(campaigns.map(({ name, text, runs }) => [name, text, runs.length])).toEqual([
      [experimentsTexts.campaign('new'), '1 failed, 2 completed', 3],
      [experimentsTexts.campaign('old'), '1 completed', 1],
      ['No campaign', '1 completed', 1],
    ]);
  });

  it('end with their last run, if all runs have ended', () => {
    const [ended] = groupByCampaign([inCampaign('1', 'c'), inCampaign('2', 'c', { ended_at: '90000' })]);
    expect(ended).toMatchObject({ started: 1000, ended: 90_000 });
    const [open] = groupByCampaign([inCampaign('1', 'c'), inCampaign('2', 'c', { status: 'paused' })]);
    expect(open).toMatchObject({ ended: null, state: 'paused' });
  });

  it('show the name of the campaign where known, and the numbers of runs by state', () => {
    const runs = [
      inCampaign('1', 'c'),
      inCampaign('2', 'c', { status: 'failed' }),
      inCampaign('3', 'c', { status: 'failed' }),
    ];
    const [campaign] = groupByCampaign(runs, { campaignName: (id) => `the ${id}` });
    expect(campaign).toMatchObject({ name: 'the c', text: '2 failed, 1 completed' });
    expect(campaign?.counts).toEqual([
      { state: 'failed', count: 2 },
      { state: 'completed', count: 1 },
    ]);
  });

  it('the cells of a campaign are empty in the columns that apply only to a single run', () => {
    const [campaign] = groupByCampaign([inCampaign('1', 'c')]);
    const texts = createExperimentColumns(0, (id) => id).map((column) => campaign && getCellText(column, campaign));
    expect(texts).toEqual([
      experimentsTexts.campaign('c'),
      '1 completed',
      '',
      'c',
      '',
      expect.any(String),
      expect.any(String),
      '',
      '',
    ]);
  });
});

it('the CSV file of experiments has the name and the ID of each campaign, and marks estimated durations', () => {
  const run = { ...row('a', { ownership_info: { campaign_id: 'C' } }), duration: { ms: 90_000, isEstimated: true } };
  const columns = createExperimentColumns(0, (id) => `the ${id}`);
  const [heads = '', cells = ''] = formatCsv(columns, [run]).slice(1).split('\r\n');
  const exported = new Map(heads.split(',').map((head, index) => [head, cells.split(',')[index]]));
  const texts = experimentsTexts.columns;
  expect(exported.get(texts.campaign)).toBe('the C');
  expect(exported.get(texts.campaignId)).toBe('C');
  expect(exported.get(texts.seconds)).toBe('90');
  expect(exported.get(texts.estimated)).toBe(texts.yes);
});
