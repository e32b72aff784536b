import { describe, expect, it } from 'vitest';
import { findCursor, nextIndent } from './cursor.ts';

/** Finds the cursor at `|`. */
function findCursorIn(text: string) {
  const offset = text.indexOf('|');
  const cursor = findCursor(text.replace('|', ''), offset);
  return cursor === null ? null : [cursor.path.join('.'), cursor.typing, cursor.key, cursor.prefix];
}

describe('the position of the cursor', () => {
  it.each<[string, ReturnType<typeof findCursorIn>]>([
    ['|', ['', 'key', null, '']],
    ['na|', ['', 'key', null, 'na']],
    ['name: Gro|', ['', 'value', 'name', 'Gro']],
    ['name: x\nsteps:\n  - |', ['steps.0', 'item', null, '']],
    ['steps:\n  - no|', ['steps.0', 'item', null, 'no']],
    ['steps:\n  - node: re|', ['steps.0', 'value', 'node', 're']],
    ['steps:\n  - node: reader\n    act|', ['steps.0', 'key', null, 'act']],
    ['steps:\n  - node: reader\n    action: |', ['steps.0', 'value', 'action', '']],
    ['steps:\n  - node: a\n  - node: b\n    args:\n      |', ['steps.1.args', 'key', null, '']],
    ['steps:\n- node: a\n- node: b\n  args:\n    x: |', ['steps.1.args', 'value', 'x', '']],
    [
      'steps:\n  - args:\n      a: 1\n    use_parameters:\n      args:\n        b: |',
      ['steps.0.use_parameters.args', 'value', 'b', ''],
    ],
    ['steps:\n  - node: a\n\n  # why\n  - |', ['steps.1', 'item', null, '']],
    [
      'parameters:\n  json_inputs:\n    - key: a\n      default: 1\n    - key: b\n  feed_forward:\n    - key: c\n      step: |',
      ['parameters.feed_forward.0', 'value', 'step', ''],
    ],
    ['parameters:\n  json_inputs:\n    - key: a\n  |', ['parameters', 'key', null, '']],
    [
      'steps:\n  - action: a\n    conditions:\n      - condition_type: |',
      ['steps.0.conditions.0', 'value', 'condition_type', ''],
    ],
    [
      'steps:\n  - action: a\n    conditions:\n      - condition_type: x\n        lo|',
      ['steps.0.conditions.0', 'key', null, 'lo'],
    ],
    [
      'steps:\n  - key: a\n    args:\n      x: 1\n  - key: b\n    locations:\n      target: de|',
      ['steps.1.locations', 'value', 'target', 'de'],
    ],
    ['steps:\n  - args: {a: 1}\nna|', ['', 'key', null, 'na']],
    ['name: x # comm|', null],
  ])('is recognized in %j', (text, expected) => expect(findCursorIn(text)).toEqual(expected));
});

describe('a new line', () => {
  it.each<[string, number | null]>([
    ['name: x', 0],
    ['steps:', 2],
    ['  - name: Carry', 4],
    ['    args:', 6],
    ['  - args:  # of the arm', 6],
    ['      text: |', 8],
    ['      - - a', 10],
    ['    args: {a: 1,', null],
    ['    names: [', null],
    ['', null],
    ['  - ', null],
  ])('after %j is indented to column %j', (line, expected) => expect(nextIndent(line)).toBe(expected));
});
