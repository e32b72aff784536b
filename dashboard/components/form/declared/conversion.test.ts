import { expect, it } from 'vitest';
import { isConvertible } from './conversion.ts';
import { valueTypeFromPython } from './pythonType.ts';

it.each<[string, unknown, boolean]>([
  ['float', '1.5', true],
  ['float', ' 2e3 ', true],
  ['float', true, true],
  ['float', 'abc', false],
  ['float', '', false],
  ['float', '0x10', false],
  ['float', [1], false],
  ['int', '5', true],
  ['int', '5.5', false],
  ['Annotated[float, Ge(0)]', '-1', false],
  ['bool', 'yes', true],
  ['bool', 0, true],
  ['bool', 2, false],
  ['str', 5, false],
  ['datetime', 1_700_000_000, true],
  ['list[int]', ['1', 2], true],
  ['list[int]', ['one'], false],
  ['list[int]', '1', false],
  ["Literal['fast']", 'slow', false],
  ['StrictInt', '5', false],
])('isConvertible to %s of %j is %j', (type, value, converts) => {
  expect(isConvertible(valueTypeFromPython(type).shape, value, type)).toBe(converts);
});
