/** The list that the build writes beside the page. */
import * as z from 'zod/mini';

export const licenceList = z.array(
  z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }),
);
