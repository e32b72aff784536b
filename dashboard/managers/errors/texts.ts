/** Words in which a manager's error is said again, where the manager's own are those of a program. */
export const errorTexts = {
  childFailed: (name: string, id: string, step: number, stepName: string, reason: string) =>
    `Workflow “${name}” (${id}) failed at step ${step}, ${stepName}: ${reason}`,
  childCancelled: (name: string, id: string, step: number, stepName: string) =>
    `Workflow “${name}” (${id}) was cancelled at step ${step}, ${stepName}`,
  because: (what: string, reason: string) => `${what}: ${reason}`,
  noReason: 'no reason given',
  noRepresentation: (node: string) => `a location that one of its steps uses has no representation for ${node}`,
  raw: 'Original message',
} as const;
