import { expect, it } from 'vitest';
import { categoryLook, maxCategories } from './palette.ts';

it('the palette has one style for each category and one for all others', () => {
  const looks = Array.from({ length: maxCategories + 1 }, (_none, index) => JSON.stringify(categoryLook(index)));
  expect(new Set(looks).size).toBe(maxCategories + 1);
  expect(categoryLook(maxCategories + 7)).toEqual(categoryLook(maxCategories));
});
