/**
 * `GET /managers/changes` of the lab manager: a stream of server-sent events that announces the current revision of the
 * most frequently read responses.
 */
import * as z from 'zod/mini';
import type { workcellApi } from '../managers/workcell.ts';
import { relayName } from './relay.ts';

export const changesPath = `/${relayName}/changes`;

/**
 * The announced endpoints of the workcell manager, with the time between two reads in ms. The manager polls its nodes every
 * 2 s and starts a step at most every 5 s, so more frequent reads return nothing newer.
 */
export const announcedIntervals = {
  getState: 3000,
  getActiveWorkflows: 3750,
} as const satisfies Partial<Record<keyof typeof workcellApi.endpoints, number>>;
export type AnnouncedEndpoint = keyof typeof announcedIntervals;
export const announcedEndpoints = ['getState', 'getActiveWorkflows'] as const satisfies readonly AnnouncedEndpoint[];

/** The data of an event. */
const announcement = z.object({
  endpoint: z.enum(announcedEndpoints),
  /** As in the ETag of the response: equal content has the same one, also after a restart of the service. */
  revision: z.string(),
  /** When the service requested the content from the manager, in ms since it opened the stream. */
  requested_ms: z.number(),
});
export type Announcement = z.infer<typeof announcement>;

/** The content of an event; `null` if it is invalid. */
export function readAnnouncement(data: string): Announcement | null {
  try {
    return announcement.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** The event that is sent regularly, so that neither side considers the stream interrupted. */
export const heartbeatEvent = 'heartbeat';
export const heartbeatMs = 15_000;
