/**
 * Ten locations of the demo lab with their representations: two decks, the plate reader's carriage, the storage rack, a
 * nest, and a bench with a missing resource template, so that it stays unresolved.
 */
import type { JsonObject } from '../../api/client/wire.ts';

/** Returns the arm's representation of a place. */
const armRepresentation = (position: readonly number[], gripper = 'standard', payload = 2) => ({
  robotarm_1: { gripper_config: gripper, max_payload: payload, position },
});

/** Returns a place on the deck of a liquid handler; only with `position` the arm reaches it. */
function deckLocation(node: string, place: number, position?: readonly number[]): JsonObject {
  const accessText = position === undefined ? 'liquid handler only' : 'accessible by robotarm_1';
  return {
    location_name: `${node}.deck_${place}`,
    description: `Deck ${place} on ${node} - ${accessText}`,
    representations: {
      [node]: { deck_position: place, deck_type: 'standard', max_plates: 1 },
      ...(position === undefined ? {} : armRepresentation(position)),
    },
    resource_template_name: 'plate_nest',
    resource_template_overrides: { resource_class: 'deck_slot' },
  };
}

/** Returns all locations; a node's location is owned by that node's ID. */
export const demoLocations = (nodeIds: ReadonlyMap<string, string>): readonly JsonObject[] => [
  deckLocation('liquidhandler_1', 1, [10, 15, 5]),
  deckLocation('liquidhandler_1', 2),
  deckLocation('liquidhandler_1', 3, [20, 15, 5]),
  deckLocation('liquidhandler_2', 1, [5, 15, 5]),
  deckLocation('liquidhandler_2', 2),
  deckLocation('liquidhandler_2', 3, [25, 15, 5]),
  {
    location_name: 'platereader_1.plate_carriage',
    description: 'Plate carriage - accessible by robotarm_1 for plate transport',
    representations: { platereader_1: { carriage: 1 }, ...armRepresentation([15, 10, 8], 'wide', 3) },
    resource_template_name: 'plate_nest',
    resource_template_overrides: { resource_class: 'plate_carriage' },
  },
  {
    location_name: 'advanced_example_node.nest',
    description: 'Nest on the shaker of advanced_example_node',
    representations: { advanced_example_node: { nest: 'A', orientation: 90 }, ...armRepresentation([40, 5, 2]) },
    resource_template_name: 'plate_nest',
    resource_template_overrides: { resource_class: 'shaker_nest' },
    managed_by: 'node',
    owner: { node_id: nodeIds.get('advanced_example_node') ?? null },
  },
  {
    location_name: 'storage_rack',
    description: 'Storage rack - high-capacity storage accessible only by the arm',
    representations: armRepresentation([30, 25, 10], 'wide', 10),
    resource_template_name: 'storage_stack',
    resource_template_overrides: { resource_class: 'storage', capacity: 16 },
  },
  {
    location_name: 'bench_1',
    description: 'Bench next to the door - people only',
    resource_template_name: 'bench_top',
    allow_transfers: false,
  },
];

/** Templates of the representations for nodes, and of a kind of location that uses them. */
export const representationTemplates: readonly JsonObject[] = [
  {
    template_name: 'arm_deck_access',
    description: 'How robotarm_1 reaches a place on a deck',
    default_values: { gripper_config: 'standard', max_payload: 2 },
    required_overrides: ['position'],
    tags: ['arm'],
  },
  {
    template_name: 'deck_position',
    description: 'A place on the deck of a liquid handler',
    default_values: { deck_type: 'standard', max_plates: 1 },
    required_overrides: ['deck_position'],
    tags: ['deck'],
  },
];

export const locationTemplates: readonly JsonObject[] = [
  {
    template_name: 'deck_slot',
    description: 'A deck place that a liquid handler and the arm share',
    resource_template_name: 'plate_nest',
    resource_template_overrides: { resource_class: 'deck_slot' },
    representation_templates: { arm: 'arm_deck_access', deck: 'deck_position' },
    tags: ['deck'],
  },
];
