/** The nodes of the real lab, and its files: settings and locations. */

/** The nodes by name, as defined in `python/nodes.py`. */
export const nodeKinds = ['quick', 'slow', 'steady', 'careful', 'faulty', 'refusing', 'sluggish'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** The settings of every process: the resource manager needs the template, the location manager the transfers. */
export const settingsFile = `
workcell_manager_name: Interop Workcell
location_manager_name: Interop Locations
resource_default_templates:
  - template_name: interop_nest
    description: room for one plate
    base_resource: {resource_name: interop_nest, resource_class: nest, base_type: slot, capacity: 1}
    required_overrides: [resource_name]
location_transfer_capabilities:
  transfer_templates:
    - {node_name: careful, action: transfer, source_argument_name: source, target_argument_name: target}
`;

export const locationsFile = `
locations:
  - location_name: bench.1
    representations: {careful: {slot: 1}}
    resource_template_name: interop_nest
    resource_template_overrides: {resource_name: bench_1_nest}
  - location_name: bench.2
    representations: {careful: {slot: 2}}
    resource_template_name: interop_nest
    resource_template_overrides: {resource_name: bench_2_nest}
`;
