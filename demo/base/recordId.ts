/** The identifier of an event, experiment or datapoint, which their managers call `_id` as MongoDB does. */
export function idOf({ _id: id }: { readonly _id: string }): string {
  return id;
}

/** Records by ID, in their order: how the event and data managers answer lists. */
export function byId<T extends { readonly _id: string }>(records: readonly T[]): Record<string, T> {
  return Object.fromEntries(records.map((record) => [idOf(record), record]));
}

/** The identifier that was sent, as `_id` or under the name that the manager's model has for it. */
export function sentId(sent: { readonly _id?: string | undefined }, named: unknown): string | undefined {
  const { _id: id } = sent;
  return id ?? (typeof named === 'string' ? named : undefined);
}
