/**
 * The six managers of a MADSci lab and the lab manager itself: keys, names and context fields. The order is that of
 * `/context` in MADSci's lab manager, ports 8001 to 8006.
 */
export const managerKeys = ['event', 'experiment', 'resource', 'data', 'workcell', 'location'] as const;

/** The key of one of the six managers, such as `event`; its key in `/lab_health` is `event_manager`. */
export type ManagerKey = (typeof managerKeys)[number];

/** Every service with an address in `/context`: the lab manager and the six managers. */
export const serviceKeys = ['lab', ...managerKeys] as const;
export type ServiceKey = (typeof serviceKeys)[number];

/** The field of `/context` with a service's address. */
export type ContextKey = `${ServiceKey}_server_url`;

/** The example lab's ports: the lab manager on 8000, then the managers in order. */
export const defaultPorts: Readonly<Record<ServiceKey, number>> = {
  lab: 8000,
  event: 8001,
  experiment: 8002,
  resource: 8003,
  data: 8004,
  workcell: 8005,
  location: 8006,
};

/** The default address of a manager. */
export function defaultManagerUrl(key: ManagerKey): string {
  return `http://localhost:${defaultPorts[key]}/`;
}

const names: Readonly<Record<ServiceKey, string>> = {
  lab: 'Lab',
  event: 'Event',
  experiment: 'Experiment',
  resource: 'Resource',
  data: 'Data',
  workcell: 'Workcell',
  location: 'Location',
};

/** `event` → `Event Manager`, as in MADSci's own descriptions. */
export function managerTitle(key: ServiceKey): string {
  return `${names[key]} Manager`;
}

/** `event` → `Event`, for tables whose heading already contains "Manager". */
export function managerName(key: ServiceKey): string {
  return names[key];
}

/** `event` → `event_server_url`. */
export function contextKey(key: ServiceKey): ContextKey {
  return `${key}_server_url`;
}

/** Creates an object with a value for each address of `/context`. */
export function createContextRecord<Value>(make: (key: ServiceKey) => Value): Record<ContextKey, Value> {
  return Object.fromEntries(serviceKeys.map((key) => [contextKey(key), make(key)])) as Record<ContextKey, Value>;
}

/** Creates an object with a value for each manager's address. */
export function createManagerAddressRecord<Value>(
  make: (key: ManagerKey) => Value,
): Record<`${ManagerKey}_server_url`, Value> {
  const { lab_server_url: _lab, ...managers } = createContextRecord((key) => (key === 'lab' ? null : make(key)));
  return managers as Record<`${ManagerKey}_server_url`, Value>;
}

/** `event` → `event_manager`, the manager's key in `/lab_health`. */
export function healthKey(key: ManagerKey): `${ManagerKey}_manager` {
  return `${key}_manager`;
}
