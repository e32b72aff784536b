/** The resource templates of the demo lab. */
import type { NewTemplate } from '../resource/templates.ts';

export const resourceTemplates: readonly NewTemplate[] = [
  {
    name: 'plate_nest',
    description: 'Standard plate nest for one plate on an instrument deck',
    resource: { base_type: 'slot', resource_name: 'plate_nest_template', resource_class: 'deck_slot' },
    required: ['resource_name', 'resource_class'],
    tags: ['plate', 'nest', 'deck', 'slot'],
  },
  {
    name: 'storage_stack',
    description: 'A stack of plates',
    resource: { base_type: 'stack', resource_name: 'storage_stack_template', resource_class: 'storage', capacity: 16 },
    required: ['resource_name'],
    tags: ['storage', 'stack'],
  },
  {
    name: 'tip_rack_1000',
    description: 'A rack of 96 tips of 1000 µl',
    resource: {
      base_type: 'discrete_consumable',
      resource_name: 'tip_rack_template',
      resource_class: 'tip_rack',
      quantity: 96,
      capacity: 96,
      attributes: { low_mark: 16, volume_ul: 1000 },
    },
    required: ['resource_name'],
    tags: ['tips', 'consumable'],
  },
  {
    name: 'reagent_bottle',
    description: 'A bottle of up to one litre; the amount is in millilitres',
    resource: {
      base_type: 'continuous_consumable',
      resource_name: 'reagent_template',
      resource_class: 'reagent',
      quantity: 0,
      capacity: 1000,
      attributes: { low_mark: 100, unit: 'ml' },
    },
    required: ['resource_name', 'attributes.lot'],
    tags: ['reagent', 'consumable'],
  },
];
