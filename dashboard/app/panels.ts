/** The panels in display order: one table for rail, routes, keyboard, palette and kiosk. */
import { dataPanel } from '../panels/data/panel.ts';
import { eventsPanel } from '../panels/events/panel.ts';
import { experimentsPanel } from '../panels/experiments/panel.ts';
import { fleetPanel } from '../panels/fleet/panel.ts';
import { labPanel } from '../panels/lab/panel.ts';
import { locationsPanel } from '../panels/locations/panel.ts';
import { overviewPanel } from '../panels/overview/panel.ts';
import type { Panel } from '../panels/panel.ts';
import { timelinePanel } from '../panels/timeline/panel.ts';
import { workcellsPanel } from '../panels/workcells/panel.ts';
import { resourcesPanel } from '../panels/resources/panel.ts';
import { workflowsPanel } from '../panels/workflows/panel.ts';

export const panels: readonly Panel[] = [
  overviewPanel,
  timelinePanel,
  workcellsPanel,
  workflowsPanel,
  experimentsPanel,
  resourcesPanel,
  locationsPanel,
  dataPanel,
  eventsPanel,
  labPanel,
  fleetPanel,
];
