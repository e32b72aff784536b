import { describe, expect, it } from 'vitest';
import { resourcesTexts } from '../texts.ts';
import { parseAmount } from './parseInput.ts';

const texts = resourcesTexts.operations;
const defaultRules = { needsWholeNumber: false, capacity: null, min: 0, optional: false };

describe('parseAmount', () => {
  it.each([
    ['12', defaultRules, { value: 12 }],
    [' 1.5 ', defaultRules, { value: 1.5 }],
    ['1e3', defaultRules, { value: 1000 }],
    ['', defaultRules, { problem: texts.needsNumber }],
    ['', { ...defaultRules, optional: true }, { value: null }],
    ['-1', defaultRules, { problem: texts.notNegative }],
    ['1.5', { ...defaultRules, needsWholeNumber: true }, { problem: texts.whole }],
    ['97', { ...defaultRules, capacity: 96 }, { problem: texts.overCapacity('96') }],
    ['96', { ...defaultRules, capacity: 96 }, { value: 96 }],
    ['3', { ...defaultRules, min: 5 }, { problem: texts.belowQuantity('5') }],
  ])('reads %j with the rules %j as %j', (text, rules, expected) => expect(parseAmount(text, rules)).toEqual(expected));

  it.each(['many', 'Infinity', '1,500'])('rejects %s with a reason', (text) =>
    expect(parseAmount(text, defaultRules)).toEqual({ problem: expect.stringMatching(/\w/) }),
  );
});
