/** The columns of the list of experiments. */
import { experimentAppearances } from '#api/states.ts';
import { formatDuration, toUtcIso, formatTime } from '../../base/time.ts';
import { shortId } from '../../base/objectPages.ts';
import type { Column } from '../../components/table/rows/tableRows.ts';
import type { ExperimentRow } from './rows.ts';
import { experimentsTexts } from './texts.ts';

const texts = experimentsTexts.columns;

function formatRunDuration({ duration: span }: Pick<ExperimentRow, 'duration'>): string {
  if (span === null) return '';
  return span.isEstimated ? experimentsTexts.page.about(formatDuration(span.ms)) : formatDuration(span.ms);
}

function createTimeColumn(key: 'started' | 'ended', now: number): Column<ExperimentRow> {
  return {
    key,
    title: texts[key],
    value: (row) => row[key],
    text: (row) => (row[key] === null ? '' : formatTime(row[key], now)),
    csv: (row) => toUtcIso(row[key]),
    width: 5.5,
    fits: true,
  };
}

/** @param now in ms since the epoch; times of this day are shown without the date */
// oxlint-disable-next-line max-lines-per-function -- a table, one entry for each column
export function createExperimentColumns(
  now: number,
  getCampaignText: (id: string) => string,
): readonly Column<ExperimentRow>[] {
  return [
    { key: 'name', title: texts.name, value: ({ name }) => name, width: 14 },
    {
      key: 'state',
      title: texts.state,
      value: ({ state }) => -experimentAppearances[state].severity,
      text: ({ text }) => text,
      filter: 'choice',
      width: 11,
    },
    {
      key: 'design',
      title: texts.design,
      value: ({ design }) => design,
      filter: 'choice',
      width: 8.5,
      // The name contains it.
      hidden: true,
    },
    {
      key: 'campaign',
      title: texts.campaign,
      value: ({ campaign }) => campaign,
      text: ({ campaign }) => (campaign === '' ? '' : getCampaignText(campaign)),
      csvAs: [
        { title: texts.campaign, value: ({ campaign }) => (campaign === '' ? '' : getCampaignText(campaign)) },
        { title: texts.campaignId, value: ({ campaign }) => campaign },
      ],
      filter: 'choice',
      width: 5,
      collapsesWhenEmpty: true,
    },
    {
      key: 'owner',
      title: texts.owner,
      value: ({ owner }) => owner,
      text: ({ owner }) => (owner === '' ? '' : shortId(owner)),
      csv: ({ owner }) => owner,
      filter: 'choice',
      width: 5,
      collapsesWhenEmpty: true,
    },
    createTimeColumn('started', now),
    createTimeColumn('ended', now),
    {
      key: 'duration',
      title: texts.duration,
      value: (row) => row.duration?.ms ?? null,
      text: formatRunDuration,
      csvAs: [
        {
          title: texts.seconds,
          value: ({ duration: span }) => (span === null ? null : Math.round(span.ms) / 1000),
        },
        { title: texts.estimated, value: ({ duration: span }) => (span?.isEstimated === true ? texts.yes : '') },
      ],
      align: 'end',
      width: 5,
    },
    { key: 'id', title: texts.id, value: ({ id }) => id, width: 4, hidden: true },
  ];
}
