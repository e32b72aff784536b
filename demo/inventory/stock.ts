/** The contents of the store room: reagents and tips, some near their low threshold, and a container of every kind. */
import type { JsonObject } from '../../api/client/wire.ts';
import type { Random } from '../base/random.ts';
import type { NewTemplate } from '../resource/templates.ts';

function reagent(name: string, quantity: number, capacity: number, lowMark: number): JsonObject {
  return {
    base_type: 'continuous_consumable',
    resource_name: name,
    resource_class: 'reagent',
    quantity,
    capacity,
    attributes: { unit: 'ml', low_mark: lowMark },
  };
}

const tips = (name: string, quantity: number): JsonObject => ({
  base_type: 'discrete_consumable',
  resource_name: name,
  resource_class: 'tip_rack',
  quantity,
  capacity: 96,
  attributes: { low_mark: 16, volume_ul: 1000 },
});

const asset = (name: string, kind: string, attributes: JsonObject = {}): JsonObject => ({
  base_type: 'asset',
  resource_name: name,
  resource_class: kind,
  attributes,
});

const emptyPlate = (name: string) => asset(name, 'plate_96', { wells: 96, sealed: true });

function tube(name: string, quantity: number): JsonObject {
  return {
    base_type: 'continuous_consumable',
    resource_name: name,
    resource_class: 'tube',
    quantity,
    capacity: 2,
    attributes: { unit: 'ml' },
  };
}

function reagentCabinet(): JsonObject {
  return {
    base_type: 'collection',
    resource_name: 'reagent_cabinet',
    resource_class: 'cabinet',
    children: {
      medium: reagent('minimal_medium', 640, 1000, 200),
      glucose: reagent('glucose_20_percent', 54, 500, 50),
      ammonium: reagent('ammonium_sulfate', 41, 500, 50),
      buffer: reagent('phosphate_buffer', 830, 1000, 100),
      ethanol: reagent('ethanol_70_percent', 310, 1000, 250),
      water: reagent('water', 1000, 1000, 200),
    },
  };
}

function liquidWaste(): JsonObject {
  return {
    base_type: 'pool',
    resource_name: 'liquid_waste',
    resource_class: 'waste',
    capacity: 2000,
    attributes: { unit: 'ml' },
    children: {
      aqueous: { base_type: 'continuous_consumable', resource_name: 'aqueous_waste', quantity: 1340 },
      organic: { base_type: 'continuous_consumable', resource_name: 'organic_waste', quantity: 260 },
    },
  };
}

/** Returns a box with two layers of tubes. */
function freezerBox(random: Random): JsonObject {
  const size = { rows: 4, columns: 4 };
  const layers = Array.from({ length: 2 }, (_layer, layer) => ({
    base_type: 'grid',
    resource_name: `freezer_box_layer_${layer}`,
    ...size,
    children: Array.from({ length: size.rows }, (_row, row) => ({
      base_type: 'row',
      resource_name: `freezer_box_layer_${layer}_row_${row}`,
      columns: size.columns,
      children: Array.from({ length: size.columns }, (): JsonObject | null => null),
    })),
  }));
  for (let index = 0; index < 11; index++) {
    const row = layers[index % 2]?.children[Math.floor(index / 4)]?.children;
    if (row !== undefined)
      row[index % 4] = tube(`glycerol_stock_${index + 1}`, Number(random.between(0.4, 1).toFixed(2)));
  }
  return {
    base_type: 'voxel_grid',
    resource_name: 'freezer_box',
    resource_class: 'freezer_box',
    ...size,
    layers: layers.length,
    attributes: { temperature_c: -80 },
    children: layers,
  };
}

/** Returns all resources that aren't at a location. */
export function stock(random: Random): JsonObject[] {
  return [
    reagentCabinet(),
    tips('tip_rack_1', 96),
    tips('tip_rack_2', 40),
    tips('tip_rack_3', 6),
    tips('tip_rack_4', 0),
    liquidWaste(),
    {
      base_type: 'queue',
      resource_name: 'read_queue',
      resource_class: 'queue',
      capacity: 8,
      children: [emptyPlate('plate_207'), emptyPlate('plate_208'), emptyPlate('plate_209')],
    },
    {
      base_type: 'stack',
      resource_name: 'fresh_plates',
      resource_class: 'magazine',
      capacity: 20,
      children: Array.from({ length: 9 }, (_value, index) => emptyPlate(`plate_${300 + index}`)),
    },
    {
      base_type: 'row',
      resource_name: 'tube_strip_1',
      resource_class: 'strip',
      columns: 8,
      children: Array.from({ length: 8 }, (_value, index) =>
        index % 3 === 2 ? null : tube(`strip_tube_${index + 1}`, Number(random.between(0.2, 1.9).toFixed(2))),
      ),
    },
    freezerBox(random),
    {
      base_type: 'container',
      resource_name: 'tool_drawer',
      resource_class: 'drawer',
      capacity: 10,
      children: {
        gripper: asset('spare_gripper', 'gripper'),
        lids: asset('lid_set', 'lids', { count: 24 }),
        wrench: asset('torque_wrench', 'tool', { calibrated_until: '2027-03-01' }),
      },
    },
    { base_type: 'slot', resource_name: 'balance_pan', resource_class: 'balance' },
    { base_type: 'resource', resource_name: 'protocol_binder', resource_class: 'document' },
    { base_type: 'consumable', resource_name: 'gloves', resource_class: 'supply', quantity: 88, capacity: 200 },
  ];
}

/** The resource templates of the demo lab. */
export const resourceTemplates: readonly NewTemplate[] = [
  {
    template_name: 'plate_nest',
    description: 'Standard plate nest for one plate on an instrument deck',
    resource: { base_type: 'slot', resource_name: 'plate_nest_template', resource_class: 'deck_slot' },
    required_overrides: ['resource_name', 'resource_class'],
    tags: ['plate', 'nest', 'deck', 'slot'],
  },
  {
    template_name: 'storage_stack',
    description: 'A stack of plates',
    resource: { base_type: 'stack', resource_name: 'storage_stack_template', resource_class: 'storage', capacity: 16 },
    required_overrides: ['resource_name'],
    tags: ['storage', 'stack'],
  },
  {
    template_name: 'tip_rack_1000',
    description: 'A rack of 96 tips of 1000 µl',
    resource: {
      base_type: 'discrete_consumable',
      resource_name: 'tip_rack_template',
      resource_class: 'tip_rack',
      quantity: 96,
      capacity: 96,
      attributes: { low_mark: 16, volume_ul: 1000 },
    },
    required_overrides: ['resource_name'],
    tags: ['tips', 'consumable'],
  },
  {
    template_name: 'reagent_bottle',
    description: 'A bottle of up to one litre; the amount is in millilitres',
    resource: {
      base_type: 'continuous_consumable',
      resource_name: 'reagent_template',
      resource_class: 'reagent',
      quantity: 0,
      capacity: 1000,
      attributes: { low_mark: 100, unit: 'ml' },
    },
    required_overrides: ['resource_name', 'attributes.lot'],
    tags: ['reagent', 'consumable'],
  },
];
