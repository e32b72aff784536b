/** The values that PyYAML 6.0.3 reads, as JSON: dates as text, and floats with a point. */
import { parseDocument } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parseExactJson, stringifyExactJson } from '../../api/exactJson.ts';
import { formatPythonYaml, readPythonScalars } from './pythonYaml.ts';

function read(text: string) {
  const document = parseDocument(text);
  const differing = readPythonScalars(document, text);
  return { value: document.toJS() as unknown, differing, warnings: document.warnings };
}

const pythonValues = [
  ['12:30:00', '45000'],
  ['1:30', '90'],
  ['-1:30', '-90'],
  ['1:30.5', '90.5'],
  ['01:30', '"01:30"'],
  ['190:20:30', '685230'],
  ['1:60', '"1:60"'],
  ['0755', '493'],
  ['0o17', '"0o17"'],
  ['0b11', '3'],
  ['-0b11', '-3'],
  ['1_000', '1000'],
  ['1_000.5', '1000.5'],
  ['0x1F', '31'],
  ['0x_1F', '31'],
  ['1e3', '"1e3"'],
  ['1.e3', '"1.e3"'],
  ['1.0e3', '"1.0e3"'],
  ['1.0e+3', '1000.0'],
  ['1.5E-3', '0.0015'],
  ['.5', '0.5'],
  ['5.', '5.0'],
  ['+5', '5'],
  ['-0', '0'],
  ['08', '"08"'],
  ['0_8', '"0_8"'],
  ['yes', 'true'],
  ['Yes', 'true'],
  ['YES', 'true'],
  ['no', 'false'],
  ['on', 'true'],
  ['off', 'false'],
  ['On', 'true'],
  ['y', '"y"'],
  ['n', '"n"'],
  ['Y', '"Y"'],
  ['true', 'true'],
  ['TRUE', 'true'],
  ['True', 'true'],
  ['tRue', '"tRue"'],
  ['null', 'null'],
  ['~', 'null'],
  ['NULL', 'null'],
  ['Null', 'null'],
  ['nUll', '"nUll"'],
  ['NaN', '"NaN"'],
  ['Infinity', '"Infinity"'],
  ['2001-12-14', '"2001-12-14"'],
  ['2001-1-1', '"2001-1-1"'],
  ['!!float 1', '1.0'],
  ['!!int "3"', '3'],
  ['!!str 12', '"12"'],
  ['!!bool yes', 'true'],
  ['!!int 0b11', '3'],
  ['!!float 1e3', '1000.0'],
  ['1__0', '10'],
  ['_1', '"_1"'],
  ['1_', '1'],
  ['0x', '"0x"'],
  ['0b', '"0b"'],
  ['0b12', '"0b12"'],
  ['1,000', '"1,000"'],
  ['1.2.3', '"1.2.3"'],
  ['12e03', '"12e03"'],
  ['1e+3', '"1e+3"'],
  ['.e3', '".e3"'],
  ['._1', '"._1"'],
  ['685_230.15', '685230.15'],
  ['190:20:30.15', '685230.15'],
  ['+12:30', '750'],
  ['12:3', '723'],
  ['0777_1', '4089'],
  ['00', '0'],
  ['-0755', '-493'],
  ['+0b1', '1'],
  ['0b1_1', '3'],
  ['1.', '1.0'],
  ['-.5', '"-.5"'],
  ['+.5', '"+.5"'],
  ['1e3.5', '"1e3.5"'],
  ['0.1e5', '"0.1e5"'],
  ['1_0e+3', '"1_0e+3"'],
  ['1.0_0e+3', '1000.0'],
] as const;

/** The number of a JSON text, and whether it is a float in Python; another text unchanged. */
const meaning = (json: string) => (/^[-\d]/.test(json) ? [Number(json), /[.e]/.test(json)] : json);

describe('a scalar', () => {
  it.each(pythonValues)('%s has the value that PyYAML reads: %s', (source, json) => {
    const { value, warnings } = read(`- ${source}`);
    expect([value as readonly unknown[]].flat().map((scalar) => meaning(stringifyExactJson(scalar)))).toEqual([
      meaning(json),
    ]);
    expect(warnings).toEqual([]);
  });

  it('is listed if YAML 1.2 reads it differently', () => {
    const { differing } = read('[1:30, 0o17, yes, 12, text, 1.50, "1:30"]');
    expect(differing.map(({ source }) => source)).toEqual(['1:30', '0o17', 'yes']);
  });

  it('is read as JSON in a text that is JSON', () => {
    const text = '{"a": [1e3, 1764304800123456789]}';
    expect(read(text)).toEqual({ value: parseExactJson(text), differing: [], warnings: [] });
  });

  it('with a tag that its text doesn’t fit has a warning', () => {
    expect(read('!!float abc').warnings).toHaveLength(1);
  });
});

it.each(pythonValues)('the text %s is written so that it is read as text again', (source) => {
  expect(read(formatPythonYaml([source])).value).toEqual([source]);
});
