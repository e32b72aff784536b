/** Routes of the objects' pages, for links between panels. */
import type { RouteLocationRaw } from 'vue-router';

export function nodePage(node: string): RouteLocationRaw {
  return { name: 'node', params: { node } };
}

export function workflowPage(id: string): RouteLocationRaw {
  return { name: 'workflow', params: { id } };
}

export function datapointPage(id: string): RouteLocationRaw {
  return { name: 'datapoint', params: { id } };
}

/** The datapoints of one workflow. */
export function dataOfWorkflow(workflow: string): RouteLocationRaw {
  return { name: 'data', query: { workflow } };
}

/** The events about one object. */
export function eventsAbout(kind: 'workflow' | 'experiment' | 'resource' | 'location', id: string): RouteLocationRaw {
  return { name: 'events', query: { about: `${kind}:${id}` } };
}

/** The log between two moments in ms since the epoch, both included; it ends almost a second later. */
export function eventsBetween({ from, to }: { readonly from: number; readonly to: number }): RouteLocationRaw {
  return { name: 'events', query: { from: String(Math.floor(from)), to: String(Math.ceil(to) + 999) } };
}

export function eventPage(id: string): RouteLocationRaw {
  return { name: 'event', params: { id } };
}

export function experimentPage(id: string): RouteLocationRaw {
  return { name: 'experiment', params: { id } };
}

/** The submit page, for a workflow that belongs to an experiment and its campaign. */
export function submitPageForExperiment(experiment: string, campaign: string): RouteLocationRaw {
  return { name: 'submit', query: { experiment, ...(campaign === '' ? {} : { campaign }) } };
}

/** The submit page, empty or filled from a workflow. */
export function submitPage(from?: string): RouteLocationRaw {
  return from === undefined ? { name: 'submit' } : { name: 'submit', query: { from } };
}

export function resourcePage(id: string): RouteLocationRaw {
  return { name: 'resource', params: { id } };
}

/** @param id the ID, because names change; the name where no ID is known */
export function locationPage(id: string): RouteLocationRaw {
  return { name: 'location', params: { id } };
}

/** The timeline with the lane of one node. */
export function timelineOfNode(node: string): RouteLocationRaw {
  return { name: 'timeline', query: { node } };
}

/**
 * The timeline around a past time range, in ms since the epoch, with a margin; its default view for a range that has no
 * end yet.
 */
export function timelineAround(from: number, to: number | null): RouteLocationRaw {
  if (to === null) return { name: 'timeline' };
  const marginMs = Math.max(60_000, (to - from) / 10);
  return {
    name: 'timeline',
    query: { from: String(Math.round(from - marginMs)), to: String(Math.round(to + marginMs)) },
  };
}

/** @param index of the step in its workflow, from 0 */
export function stepPage(workflow: string, index: number): RouteLocationRaw {
  return { name: 'workflow', params: { id: workflow }, query: { step: String(index) } };
}

/** Returns the end of an ID, because ULIDs of the same hour have the same beginning. */
export function shortId(id: string): string {
  return id.length <= 7 ? id : `…${id.slice(-6)}`;
}

/** Returns a text for export, in which a short form of the ID is replaced with the ID. */
export const withFullId = (text: string, id: string): string => (id === '' ? text : text.replace(shortId(id), id));

/** Returns whether the text is a MADSci ID: a ULID of 26 characters in Crockford's base 32, at most 128 bits. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** The sections of the Overview that the top bar links to, as hashes: the IDs of their headings. */
export const overviewSections = { attention: '#attention-title', managers: '#managers-title' } as const;
