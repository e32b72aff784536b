import { expect, it } from 'vitest';
import { categoryAppearance, maxCategories } from './palette.ts';

it('the palette has one style for each category and one for all others', () => {
  const appearances = Array.from({ length: maxCategories + 1 }, (_none, index) =>
    JSON.stringify(categoryAppearance(index)),
  );
  expect(new Set(appearances).size).toBe(maxCategories + 1);
  expect(categoryAppearance(maxCategories + 7)).toEqual(categoryAppearance(maxCategories));
});
