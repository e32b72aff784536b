import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#api/exactJson.ts';
import { formatCsv, formatCsvCell, formatCsvLines } from '../table/rows/csv.ts';
import type { TextEncodingName } from './encoding.ts';
import { type CsvFile, csvReadTexts as texts, readCsv } from './readCsv.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
function parseFile(content: Uint8Array | string): CsvFile {
  const result = readCsv(typeof content === 'string' ? bytes(content) : content);
  if (!result.ok) throw new Error(result.problem);
  return result.file;
}
/** The cells as spreadsheets read them: only a quote at the start of a cell has a meaning, and text after it is kept. */
function readAsSpreadsheet(text: string, delimiter: string): readonly string[] {
  const found: string[] = [];
  const cell = new RegExp(String.raw`(?:"((?:[^"]|"")*)(?:"|$))?([^${delimiter}\r\n]*)(?:[${delimiter}\r\n]|$)`, 'gy');
  for (const [, quoted = '', rest = ''] of text.matchAll(cell)) found.push(quoted.replaceAll('""', '"') + rest);
  return found;
}
const cells = (parsed: CsvFile) => parsed.records.map((record) => record.cells);

describe('a CSV file', () => {
  it.each([
    [',', 'name,quantity\na,1\nb,2\n'],
    [';', 'name;quantity\na;1\nb;2\n'],
    ['\t', 'name\tquantity\r\na\t1\r\nb\t2\r\n'],
    ['|', 'name|quantity\na|1\nb|2'],
  ])('is read with the separator %j', (separator, text) => {
    const file = parseFile(text);
    expect(file.separator).toBe(separator);
    expect(file.headings).toEqual(['name', 'quantity']);
    expect(cells(file)).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('has the separator that its first line declares, and its lines keep their numbers', () => {
    const file = parseFile('sep=;\r\nname;a,b\r\nx;1\r\n');
    expect([file.separator, file.headings]).toEqual([';', ['name', 'a,b']]);
    expect(file.records).toEqual([{ number: 3, cells: ['x', '1'] }]);
  });

  it('keeps quoted line ends, separators and quotation marks, and numbers lines like a spreadsheet', () => {
    const file = parseFile('\uFEFFname,note\n\n"a","x, ""y""\nz"\n,\nb,c\n');
    expect(file.headings).toEqual(['name', 'note']);
    expect(file.records).toEqual([
      { number: 3, cells: ['a', 'x, "y"\nz'] },
      { number: 5, cells: ['b', 'c'] },
    ]);
  });

  it.each([
    ['UTF-8', bytes('name,unit\na,µl\n')],
    ['Windows-1252', Uint8Array.from([...bytes('name,unit\na,'), 0xb5, ...bytes('l\n')])],
    [
      'UTF-16',
      Uint8Array.from([0xff, 0xfe, ...[...'name\tunit\na\tµl\n'].flatMap((character) => [character.charCodeAt(0), 0])]),
    ],
  ])('is read as %s', (encoding, content) => {
    const file = parseFile(content);
    expect(file.encoding).toBe(encoding);
    expect(cells(file)).toEqual([['a', 'µl']]);
  });

  it.each<[TextEncodingName, string, string, readonly number[]]>([
    // 試薬,緩衝液 and サンプル,ア in Shift_JIS; 试剂,缓冲液 in GBK.
    ['Shift_JIS', '試薬', '緩衝液', [0x8e, 0x8e, 0x96, 0xf2, 0x2c, 0x8a, 0xc9, 0x8f, 0xd5, 0x89, 0x74]],
    ['Shift_JIS', 'サンプル', 'ア', [0x83, 0x54, 0x83, 0x93, 0x83, 0x76, 0x83, 0x8b, 0x2c, 0x83, 0x41]],
    ['GBK', '试剂', '缓冲液', [0xca, 0xd4, 0xbc, 0xc1, 0x2c, 0xbb, 0xba, 0xb3, 0xe5, 0xd2, 0xba]],
    ['Windows-1252', 'Größe', '5 µl', [0x47, 0x72, 0xf6, 0xdf, 0x65, 0x2c, 0x35, 0x20, 0xb5, 0x6c]],
  ])('is read as %s by detection, which the user can correct: %s', (encoding, name, note, line) => {
    const content = Uint8Array.from([...bytes('name,note\n'), ...line, 0x0a]);
    const file = parseFile(content);
    expect([file.encoding, file.isEncodingGuess, cells(file)]).toEqual([encoding, true, [[name, note]]]);
    const corrected = readCsv(content, 'Windows-1252');
    expect(corrected).toMatchObject({ ok: true, file: { encoding: 'Windows-1252', isEncodingGuess: true } });
  });

  it.each<[TextEncodingName, 0 | 1]>([
    ['UTF-16', 0],
    ['UTF-16 (big-endian)', 1],
  ])('is read as %s without a byte order mark', (encoding, zeroFirst) => {
    const content = Uint8Array.from(
      [...bytes('name,note\na,b\n')].flatMap((byte) => (zeroFirst === 1 ? [0, byte] : [byte, 0])),
    );
    expect(parseFile(content)).toMatchObject({ encoding, isEncodingGuess: false, headings: ['name', 'note'] });
  });

  it.each([
    ['an unpaired surrogate', [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x00, 0xd8, 0x62, 0, 0x0a, 0]],
    ['half a character', [0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x62, 0, 0x0a]],
  ])('in UTF-16 with %s has a guessed encoding', (_name, content) => {
    expect(parseFile(Uint8Array.from(content))).toMatchObject({ encoding: 'UTF-16', isEncodingGuess: true });
  });

  it.each([
    ['', texts.empty],
    ['\n\n', texts.empty],
    ['PK\0\0', texts.binary],
  ])('is rejected with a reason: %j', (text, problem) => {
    expect(readCsv(bytes(text))).toEqual({ ok: false, problem });
  });

  it('has a problem for each invalid line', () => {
    const file = parseFile('name,note\na,b,c\nd,"e\n');
    expect(file.problems.get(2)).toBe(texts.tooMany(3, 2));
    expect(file.problems.get(3)).toBe(texts.quotes);
  });

  it('contains JSON that every other reader of CSV parses to the same value', () => {
    const json = fc.json().filter((text) => /^[[{]/.test(text));
    const hazard = fc
      .string()
      .map((text) => JSON.stringify({ note: `;=${text};-1 µl;＝1,"-2 °C;"@x`, '-a': [-1, '=b'] }));
    fc.assert(
      fc.property(fc.oneof(json, hazard), (text) => {
        const [[cell = ''] = []] = Papa.parse<string[]>(formatCsvCell(text)).data;
        expect(parseExactJson(cell)).toEqual(parseExactJson(text));
      }),
    );
  });

  it.each([';', '\t', ','])('has no cell that a spreadsheet runs, also if it divides lines at %j', (delimiter) => {
    const hazards = [
      ';',
      '\t',
      '\r\n',
      '\n',
      ',',
      '"',
      '=1+cmd',
      '-2+3',
      '@x',
      '+41 79',
      '＝1+cmd',
      '＋1',
      '－2+3',
      '＠x',
      '{"a":"',
      '"}',
      'x',
    ];
    const cellText = fc.array(fc.constantFrom(...hazards)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.array(cellText, { minLength: 1 }), { minLength: 1 }), (lines) => {
        const read = readAsSpreadsheet(formatCsvLines(lines).slice(1), delimiter);
        expect(read.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read unchanged after formatCsv wrote it', () => {
    // A text with an apostrophe at its start or after a separator looks like one that formatCsv guarded.
    const isGuarded = (text: string) => /(?:^|[;\t\r\n]"*)'|\0/.test(text);
    const cellText = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() === text && !isGuarded(text));
    const row = fc.record({ name: cellText.filter((cell) => cell !== ''), note: cellText });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2 }), (rows) => {
        const columns = [
          { key: 'name', title: 'Name', value: ({ name }: (typeof rows)[number]) => name },
          { key: 'note', title: 'Note', value: ({ note }: (typeof rows)[number]) => note },
        ];
        const file = parseFile(formatCsv(columns, rows));
        expect(cells(file)).toEqual(rows.map(({ name, note }) => [name, note]));
      }),
    );
  });
});
