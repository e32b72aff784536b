import { describe, expect, it } from 'vitest';
import { resourcesTexts } from '../texts.ts';
import { parseAmount } from './parseInput.ts';

const texts = resourcesTexts.operations;
const any = { needsWholeNumber: false, capacity: null, min: 0, optional: false };

describe('parseAmount', () => {
  it.each([
    ['12', any, { value: 12 }],
    [' 1.5 ', any, { value: 1.5 }],
    ['1e3', any, { value: 1000 }],
    ['', any, { problem: texts.needsNumber }],
    ['', { ...any, optional: true }, { value: null }],
    ['-1', any, { problem: texts.notNegative }],
    ['1.5', { ...any, needsWholeNumber: true }, { problem: texts.whole }],
    ['97', { ...any, capacity: 96 }, { problem: texts.overCapacity('96') }],
    ['96', { ...any, capacity: 96 }, { value: 96 }],
    ['3', { ...any, min: 5 }, { problem: texts.belowQuantity('5') }],
  ])('reads %j with the rules %j as %j', (text, rules, read) => expect(parseAmount(text, rules)).toEqual(read));

  it.each(['many', 'Infinity', '1,5'])('rejects %s with a reason', (text) =>
    expect(parseAmount(text, any)).toEqual({ problem: expect.stringMatching(/\w/) }),
  );
});
