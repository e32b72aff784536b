/** What the window "Maintenance and Mute" shows and asks. Times are ms since the epoch. */
import * as z from 'zod/mini';
import { maintenanceSubject } from '../../api/lab/lab.ts';

const subject = z.extend(maintenanceSubject, { name: z.string() });

export const maintenancePage = z.object({
  page: z.literal('maintenance'),
  /** What can be in maintenance or muted, in the order of the lab. */
  subjects: z.array(subject),
  /** Why nothing can be put into maintenance; `null` when it can. */
  noMaintenance: z.nullable(z.string()),
  inMaintenance: z.array(z.extend(subject, { from: z.number(), until: z.number() })),
  /** `key` null: all notifications. */
  muted: z.array(z.object({ key: z.nullable(z.string()), name: z.string(), until: z.number() })),
});

const id = z.string().check(z.minLength(1), z.maxLength(200));
/** `null` ends it. */
const until = z.nullable(z.number());

export const maintenanceRequests = [
  z.object({ ask: z.literal('set-maintenance'), kind: maintenanceSubject.shape.kind, id, until }),
  /** `key` null: all notifications. */
  z.object({ ask: z.literal('set-mute'), key: z.nullable(id), until }),
] as const;
