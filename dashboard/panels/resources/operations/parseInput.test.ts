import { describe, expect, it } from 'vitest';
import { parseExactJson, stringifyExactJson } from '#api/exactJson.ts';
import { schemaFormTexts } from '#dashboard/components/form/texts.ts';
import { resourcesTexts } from '../texts.ts';
import { sampleResource } from '#dashboard/fixtures/resourceResponses.ts';
import { toResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { describeAmountEffects, findAttributeEdits, parseAmount } from './parseInput.ts';

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

  it.each(['-0', '1e-400', '-1e-400'])('rejects %s, which a manager stores as 0', (text) =>
    expect(parseAmount(text, defaultRules)).toEqual({ problem: schemaFormTexts.problems.storedAsZero(text) }),
  );

  it.each(['many', 'Infinity', '1,500'])('rejects %s with a reason', (text) =>
    expect(parseAmount(text, defaultRules)).toEqual({ problem: expect.stringMatching(/\w/) }),
  );
});

it('findAttributeEdits returns new, changed and removed attributes, also null', () => {
  const stored = parseExactJson('{"ph":7.0,"t":1764304800123456789,"note":null,"gone":null,"lot":"a"}');
  const typed = parseExactJson('{"ph":7.0,"t":1764304800123456788,"note":null,"lot":null,"added":null}');
  const edits = findAttributeEdits(stored as Record<string, unknown>, typed as Record<string, unknown>);
  expect(Object.keys(edits)).toEqual(['t', 'gone', 'lot', 'added']);
  expect(edits).toMatchObject({ gone: undefined, lot: null, added: null });
  expect(stringifyExactJson(edits['t'])).toBe('1764304800123456788');
});

describe('the effect of an edit of attributes on amounts', () => {
  const bottle = (quantity: number | null, unit?: string) =>
    toResourceRow(
      sampleResource('A', {
        base_type: 'continuous_consumable',
        quantity,
        attributes: unit === undefined ? {} : { unit },
      }),
    );
  const { sameNumber, sameNumbers } = resourcesTexts.edit;
  const { lowMarkIgnored } = resourcesTexts.page;
  it.each([
    ['a unit that is changed', { unit: 'mL' }, [bottle(5, 'µL')], [sameNumber('5 µL', '5 mL')]],
    ['a unit that is added', { unit: 'mL' }, [bottle(5)], [sameNumber('5', '5 mL')]],
    ['a unit that is removed', { unit: undefined }, [bottle(5, 'mL')], [sameNumber('5 mL', '5')]],
    ['the units of several', { unit: 'mL' }, [bottle(5), bottle(6, 'µL'), bottle(7, 'mL')], [sameNumbers]],
    ['the same unit', { unit: 'mL' }, [bottle(5, 'mL')], []],
    ['a resource without an amount', { unit: 'mL' }, [bottle(null)], []],
    ['a low mark as a text', { low_mark: '12' }, [bottle(5)], [lowMarkIgnored('"12"')]],
    ['a negative low mark', { low_mark: -1 }, [bottle(5)], [lowMarkIgnored('-1')]],
    ['a low mark that is a number or missing', { low_mark: 12, lot: 'a' }, [bottle(5)], []],
    ['a low mark that is removed', { low_mark: undefined }, [bottle(5)], []],
  ])('is described for %s', (_name, edits, rows, notes) => expect(describeAmountEffects(edits, rows)).toEqual(notes));
});
