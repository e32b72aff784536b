/** The cost of reading a large list without loss, compared with `JSON.parse`, in CPU time. */
import { parseExactJson } from '../../api/exactJson.ts';
import { median, type Result } from './table.ts';
import { cpuTimeMs } from './tableSearch.ts';

const rounds = 9;

/** 10,000 resources as a manager lists them, about 5 MB. */
function createList(quantity: string): string {
  const resources = Array.from({ length: 10_000 }, (_, index) => ({
    resource_id: `01K${index.toString(36).toUpperCase().padStart(23, '0')}`,
    resource_name: `tube ${index}`,
    base_type: 'continuous_consumable',
    created_at: '2026-11-21T02:18:54.150089',
    attributes: { lot: `lot ${index % 97}`, od: 0.5 + index, note: 'water, sterile; '.repeat(16) },
    quantity: 'quantity',
  }));
  return JSON.stringify(resources).replaceAll('"quantity":"quantity"', `"quantity":${quantity}`);
}

const medianMs = (work: () => void): number => median(Array.from({ length: rounds }, () => cpuTimeMs(work)));

export async function benchExactJson(): Promise<Result[]> {
  return [
    { what: 'without numbers that need it', text: createList('50'), maxRatio: 4 },
    { what: 'with one in each resource', text: createList('50.0'), maxRatio: 20 },
  ].map(({ what, text, maxRatio }) => {
    const [exactMs, nativeMs] = [medianMs(() => parseExactJson(text)), medianMs(() => JSON.parse(text))];
    return {
      measurement: `10,000 resources parsed without loss, ${what}`,
      value: `${exactMs.toFixed(1)} ms`,
      baseline: `JSON.parse, ${nativeMs.toFixed(1)} ms`,
      ratio: exactMs / nativeMs,
      goal: `≤ ${maxRatio}×`,
      isMet: exactMs / nativeMs <= maxRatio,
    };
  });
}
