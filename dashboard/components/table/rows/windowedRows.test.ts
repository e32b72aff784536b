import { effectScope, nextTick, ref } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { useWindowedRows, type RowPage } from './windowedRows.ts';

interface Reading {
  readonly from: number;
  readonly signal: AbortSignal;
  readonly answer: (page: RowPage<string>) => void;
  readonly refuse: (error: Error) => void;
}

function windowed(kept = 3) {
  const readings: Reading[] = [];
  const question = ref('all');
  const scope = effectScope();
  const rows = scope.run(() =>
    useWindowedRows<string>({
      read: (from, _count, signal) => new Promise((answer, refuse) => readings.push({ from, signal, answer, refuse })),
      question: () => question.value,
      pageSize: 10,
      kept,
    }),
  )!;
  const page = (from: number): RowPage<string> => ({
    rows: Array.from({ length: 10 }, (_, index) => `${question.value} ${from + index}`),
    total: 95,
  });
  const answered = async (...which: Reading[]) => {
    for (const reading of which) reading.answer(page(reading.from));
    await vi.waitFor(() => expect(which.every(({ from }) => rows.source.value.at(from) !== undefined)).toBe(true));
  };
  return { readings, question, rows, answered, stop: () => scope.stop() };
}

describe('rows that are read as they come into sight', () => {
  it('begin with the first page, and read what is shown', async () => {
    const { readings, rows, answered } = windowed();
    expect(readings.map(({ from }) => from)).toEqual([0]);
    expect(rows.source.value.count).toBe(0);
    await answered(readings[0]!);
    expect([rows.source.value.count, rows.source.value.at(3), rows.source.value.at(40)]).toEqual([
      95,
      'all 3',
      undefined,
    ]);
    rows.source.value.show(38, 52);
    expect(readings.slice(1).map(({ from }) => from)).toEqual([30, 40, 50]);
  });

  it('are read once, however often they are shown, and never past the end', async () => {
    const { readings, rows, answered } = windowed();
    await answered(readings[0]!);
    for (const _ of [1, 2, 3]) rows.source.value.show(88, 300);
    expect(readings.slice(1).map(({ from }) => from)).toEqual([80, 90]);
  });

  it('are no longer waited for when they are out of sight, and are read when they come again', async () => {
    const { readings, rows, answered } = windowed();
    await answered(readings[0]!);
    rows.source.value.show(40, 45);
    rows.source.value.show(80, 85);
    expect(readings[1]?.signal.aborted).toBe(true);
    readings[1]?.answer({ rows: ['late'], total: 1 });
    await answered(readings[2]!);
    expect([rows.source.value.count, rows.source.value.at(40)]).toEqual([95, undefined]);
    rows.source.value.show(40, 45);
    expect(readings[3]?.from).toBe(40);
  });

  it('go when others have been seen since', async () => {
    const { readings, rows, answered } = windowed(2);
    await answered(readings[0]!);
    for (const from of [20, 40, 60]) {
      rows.source.value.show(from, from);
      await answered(readings.at(-1)!);
    }
    expect([0, 20, 40, 60].map((place) => rows.source.value.at(place) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('begin anew with another question, and nothing of the old one comes in', async () => {
    const { readings, question, rows, answered } = windowed();
    const [old] = readings;
    question.value = 'plates';
    await nextTick();
    expect(old?.signal.aborted).toBe(true);
    old?.answer({ rows: ['old'], total: 1 });
    await answered(readings[1]!);
    expect(rows.source.value.at(0)).toBe('plates 0');
  });

  it('say why they couldn’t be read, and that they can again', async () => {
    const { readings, rows, answered } = windowed();
    readings[0]?.refuse(new Error('connection refused'));
    await vi.waitFor(() => expect(rows.failure.value?.message).toBe('connection refused'));
    rows.source.value.show(0, 0);
    await answered(readings[1]!);
    expect(rows.failure.value).toBeNull();
  });

  it('stop with what shows them', () => {
    const { readings, stop } = windowed();
    stop();
    expect(readings[0]?.signal.aborted).toBe(true);
  });
});
