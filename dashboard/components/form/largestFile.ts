/** Far beyond any lab's lists, in bytes; a mistaken file must not hold up the page. */
export const largestFile = 5 * 1024 * 1024;
