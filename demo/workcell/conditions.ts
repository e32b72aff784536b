/** Evaluates the conditions of a step, and returns the reason for an unmet one. */
import type { Condition } from '../../api/resourceCondition.ts';
import type { LabView } from './state.ts';
import { stringifyExactJson, toNumber } from '../../api/exactJson.ts';

const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Returns the child at a key of a location's resource: a number is the child's index, from the bottom in a stack, or else
 * its key.
 */
function childAt(condition: Condition, lab: LabView): Readonly<Record<string, unknown>> | undefined {
  const name = condition.location_name ?? condition.location_id ?? '';
  const location = lab.location(name);
  if (location === undefined || location.resourceId === null) return undefined;
  const children = toObject(lab.resource(location.resourceId)?.['children']);
  const list = Object.values(children);
  const key = condition.key ?? 0;
  const child = typeof key === 'number' ? (list[key] ?? children[String(key)]) : children[String(key)];
  return child === undefined || child === null ? undefined : toObject(child);
}

function compare(operator: string, fieldValue: unknown, targetValue: unknown): boolean {
  const [value, target] = [toNumber(fieldValue), toNumber(targetValue)];
  if (value === null || target === null) return operator === 'is_equal_to' && fieldValue === targetValue;
  if (operator === 'is_equal_to') return value === target;
  switch (operator) {
    case 'is_greater_than':
      return value > target;
    case 'is_greater_than_or_equal_to':
      return value >= target;
    // In 0.8.1, "less than or equal" behaves as "less than".
    case 'is_less_than':
    case 'is_less_than_or_equal_to':
      return value < target;
    default:
      return false;
  }
}

/** Returns the reason for an unmet condition; null if it is met, or has a type that is never evaluated. */
export function unmetReason(condition: Condition, lab: LabView): string | null {
  const location = condition.location_name ?? condition.location_id ?? 'unknown';
  switch (condition.condition_type) {
    case 'resource_present':
    case 'no_resource_present': {
      const child = childAt(condition, lab);
      const expected = condition.resource_class ?? null;
      const present = child !== undefined && (expected === null || child['resource_class'] === expected);
      if (condition.condition_type === 'no_resource_present') {
        return present ? `Resource found in location ${location}` : null;
      }
      return present ? null : `Resource not found in location ${location}`;
    }
    case 'resource_field_check': {
      const name = condition.resource_id ?? condition.resource_name ?? '';
      const resource = lab.resource(name);
      if (resource === undefined) return `Resource ${name} not found`;
      const { field = '', operator = '', target_value: target } = condition;
      if (compare(operator, resource[field], target)) return null;
      return `Field ${field} of resource ${name} does not satisfy ${operator} ${stringifyExactJson(target)}`;
    }
    default:
      return null;
  }
}
