import { expect, it } from 'vitest';
import { suggestSearch } from './rowData.ts';

const texts = ['tip_rack_1\ndiscrete consumable', 'reagent_cabinet\ncollection', 'plate_101\n96-well plate'];

it.each([
  ['tips', 'tip'],
  ['tipp rack', 'tip rack'],
  ['reagnet', 'reagent'],
  ['plate colection', 'plate collection'],
  ['zzzzzz', null],
  ['plate', null],
  ['', null],
])('suggestSearch for %j is %j', (search, suggestion) => expect(suggestSearch(search, texts)).toBe(suggestion));
