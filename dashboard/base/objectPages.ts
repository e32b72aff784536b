/** The address of every object, for links between panels. */
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

/** The log of what was said about one object. */
export function eventsAbout(kind: 'workflow' | 'experiment' | 'resource' | 'location', id: string): RouteLocationRaw {
  return { name: 'events', query: { about: `${kind}:${id}` } };
}

export function eventPage(id: string): RouteLocationRaw {
  return { name: 'event', params: { id } };
}

export function experimentPage(id: string): RouteLocationRaw {
  return { name: 'experiment', params: { id } };
}

/** The submit page, for a workflow that belongs to an experiment and its campaign. */
export function submitFor(experiment: string, campaign: string): RouteLocationRaw {
  return { name: 'submit', query: { experiment, ...(campaign === '' ? {} : { campaign }) } };
}

/** The submit page, empty or filled from a workflow. */
export function submitPage(from?: string): RouteLocationRaw {
  return from === undefined ? { name: 'submit' } : { name: 'submit', query: { from } };
}

export function resourcePage(id: string): RouteLocationRaw {
  return { name: 'resource', params: { id } };
}

/** By its ID, or its name where nothing else is known: names change. */
export function locationPage(id: string): RouteLocationRaw {
  return { name: 'location', params: { id } };
}
