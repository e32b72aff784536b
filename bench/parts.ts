/**
 * Parts of the service: whether the time of parsers is proportional to the length of hostile texts, and whether records
 * survive 200 kills.
 */
import { hostileTexts } from '../server/fixtures/hostileSettings.ts';
import { hostileParts, longAddress } from '../server/fixtures/hostileTexts.ts';
import { killWriters } from '../server/fixtures/killedWriter.ts';
import { makeTempFolder } from '../server/fixtures/tempFolder.ts';
import { cleanText, redactAddresses } from '../server/logging/text.ts';
import { settingsFiles, type FileFormat } from '../server/settings/parse/discovery.ts';
import { maxFileBytes, readSettingsFile } from '../server/settings/parse/files.ts';
import { median, type Result } from './dashboard/table.ts';

const runs = 5;
const kills = 200;
/** Shorter times depend on the timer's resolution and on compilation. */
const minMs = 5;
/** Four times the length takes four times as long if the time is linear, and 16 times if it is quadratic. */
const maxRatio = 8;

type Work = () => unknown;

/** The processor's time, which other programs of the machine do not affect. */
async function measureMs(work: Work): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    times.push(process.cpuUsage(before).user / 1000);
  }
  return median(times);
}

/** Compares the time of each text with that of the same one at a quarter of the length; the greatest ratio counts. */
async function compareLengths(
  measurement: string,
  pairs: readonly (readonly [name: string, quarter: Work, whole: Work])[],
): Promise<Result> {
  let worst = { name: '', quarter: 0, whole: 0, ratio: 0 };
  for (const [name, runQuarter, runWhole] of pairs) {
    const [quarter, whole] = [await measureMs(runQuarter), await measureMs(runWhole)];
    const ratio = whole / Math.max(quarter, minMs);
    if (ratio > worst.ratio) worst = { name, quarter, whole, ratio };
  }
  return {
    measurement: `${measurement}: greatest ratio of the times, ${worst.name}`,
    value: `${worst.whole.toFixed(1)} ms`,
    baseline: `a quarter of the length, ${worst.quarter.toFixed(1)} ms`,
    ratio: worst.ratio,
    goal: `≤ ${maxRatio}×`,
    isMet: worst.ratio <= maxRatio,
  };
}

export async function benchParsers(): Promise<Result[]> {
  await using folder = await makeTempFolder();
  const quarter = hostileTexts(maxFileBytes / 4);
  const whole = hostileTexts(maxFileBytes);
  const settings = (Object.keys(whole) as FileFormat[]).flatMap((format) => {
    const file = settingsFiles.find((candidate) => candidate.format === format);
    if (file === undefined) throw new Error(`No settings file of the format ${format}`);
    const read = (length: string, text: string, index: number) => async () => {
      const path = `${length}-${format}-${index}`;
      await folder.write({ [path]: text });
      await readSettingsFile({ ...file, place: 'lab', path: `${folder.path}/${path}` }, {});
    };
    return whole[format].map(
      ([name, text], index) =>
        [
          `${format}: ${name}`,
          read('quarter', quarter[format][index]?.[1] ?? '', index),
          read('whole', text, index),
        ] as const,
    );
  });
  const characters = 1_000_000;
  return [
    await compareLengths('a hostile settings file of 256 KiB', settings),
    await compareLengths(
      'cleanText, a million repetitions',
      hostileParts.map((part) => {
        const [quarterText, wholeText] = [part.repeat(characters / 4), part.repeat(characters)];
        return [JSON.stringify(part), () => cleanText(quarterText), () => cleanText(wholeText)] as const;
      }),
    ),
    await compareLengths('redactAddresses, an address of a million characters', [
      [
        'a password',
        () => redactAddresses(longAddress(characters / 4)),
        () => redactAddresses(longAddress(characters)),
      ],
    ]),
  ];
}

export async function benchKills(): Promise<Result[]> {
  const { results } = await killWriters(kills);
  const lost = results.filter(({ acknowledged, stored }) => stored.length <= acknowledged).length;
  return [
    {
      measurement: `history: kills of ${kills} that lost an acknowledged record`,
      value: String(lost),
      baseline: null,
      ratio: null,
      goal: '0',
      isMet: lost === 0,
    },
  ];
}
