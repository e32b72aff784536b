import { describe, expect, it } from 'vitest';
import { readyStatus, sampleLabKnowledge } from '#dashboard/fixtures/sampleLabKnowledge.ts';
import { checkSubmission } from '../submit/preflight.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import { definitionTexts } from './texts.ts';
import { listEndpoints, listTransfers } from './transferCheck.ts';
import { transferKey, type LocationContents, type PlannedTransfer } from './plannedTransfer.ts';
import { validateDefinition } from './validateDefinition.ts';

const texts = definitionTexts.lab;
const text = (...steps: string[]) => `name: Move\nsteps:\n${steps.join('')}`;
const transfer = (source: string, target: string) =>
  `  - {name: T, action: transfer, args: {source: ${source}, target: ${target}}}\n`;
const node = (source: string, target: string) =>
  `  - {name: N, node: arm, action: move, locations: {source: ${source}, target: ${target}}}\n`;

const lab = (
  planned: PlannedTransfer | null,
  contents: LocationContents['state'] = 'something',
  armIsReady = true,
): LabKnowledge => ({
  ...sampleLabKnowledge,
  statuses: { ...sampleLabKnowledge.statuses, ...(armIsReady ? { arm: readyStatus } : {}) },
  transfers: planned === null ? {} : { [transferKey({ source: 'deck_1', target: 'nest' })]: planned },
  contents: { deck_1: { state: contents, reason: 'connection refused' } },
});
function check(definitionText: string, knowledge: LabKnowledge) {
  const { definition } = validateDefinition(definitionText, knowledge);
  return checkSubmission(definition, knowledge, {});
}
const arm: PlannedTransfer = { kind: 'planned', nodes: ['arm'] };

describe('the check of a transfer', () => {
  const transferText = text(transfer('deck_1', 'nest'));
  it.each<[string, LabKnowledge, string, string]>([
    ['has a route and a resource', lab(arm), 'ok', texts.planned('arm')],
    [
      'waits for a node on the route',
      lab(arm, 'something', false),
      'warning',
      'The workcell manager can’t reach arm: the step waits until it can.',
    ],
    ['has no resource', lab(arm, 'nothing'), 'warning', texts.empty('deck_1')],
    [
      'may have a resource',
      lab(arm, 'unrecorded'),
      'unchecked',
      'Not checked whether anything lies at “deck_1”: it has no resource that would record it.',
    ],
    [
      'has an unknown resource',
      lab(arm, 'unknown'),
      'unchecked',
      'Not checked whether anything lies at “deck_1”: connection refused.',
    ],
    [
      'has no route',
      lab({ kind: 'none', reason: 'no path' }),
      'problem',
      'No transfer is possible from “deck_1” to “nest”: no path.',
    ],
    ['was not planned', lab(null), 'unchecked', texts.notPlanned('deck_1', 'nest', '')],
  ])('reports a transfer that %s', (_name, knowledge, worst, message) => {
    const preflight = check(transferText, knowledge);
    expect(preflight.worst).toBe(worst);
    expect(preflight.groups.at(-1)?.lines.map((line) => line.text)).toContain(message);
  });

  it('considers the resources that earlier steps move', () => {
    const knowledge = { ...lab(arm), contents: { nest: { state: 'nothing', reason: '' } } } as const;
    const lines = check(text(node('deck_1', 'nest'), node('nest', 'deck_1')), knowledge).groups.at(-1)?.lines;
    expect(lines?.map((line) => line.text)).not.toContain(texts.empty('nest'));
    const alone = check(text(node('nest', 'deck_1')), knowledge).groups.at(-1)?.lines;
    expect(alone?.map((line) => line.text)).toContain(texts.empty('nest'));
  });

  it('warns of an occupied target unless an earlier step empties it', () => {
    const knowledge = { ...lab(arm), contents: { nest: { state: 'something', reason: '', isFull: true } } } as const;
    const lines = (...steps: string[]) =>
      check(text(...steps), knowledge)
        .groups.at(-1)
        ?.lines.map((line) => [line.status, line.text]);
    expect(lines(transferText)).toContainEqual([
      'warning',
      '“nest” is occupied now, and the step puts something there.',
    ]);
    expect(lines(node('nest', 'deck_1'), node('deck_1', 'nest'))).not.toContainEqual([
      'warning',
      '“nest” is occupied now, and the step puts something there.',
    ]);
  });

  it('queries the source and target locations of all steps once', () => {
    const { definition } = validateDefinition(
      text(transfer('deck_1', 'nest'), transfer('deck_1', 'nest'), node('nest', 'store')),
      sampleLabKnowledge,
    );
    expect(listTransfers(definition!, {})).toEqual([{ source: 'deck_1', target: 'nest' }]);
    expect(listEndpoints(definition!, {}, sampleLabKnowledge)).toEqual(['deck_1', 'nest', 'store']);
  });
});

describe('the check before sending', () => {
  it('never passes with an error in the text', () => {
    const definitionText =
      'name: Wait\nsteps:\n  - {action: wait, args: {seconds: 1}, colour: red}\n  - {node: arm, args: {}}\n';
    const { definition, problems, errors } = validateDefinition(definitionText, sampleLabKnowledge);
    expect(errors).toBeGreaterThan(0);
    const { worst, groups } = checkSubmission(definition, sampleLabKnowledge, {}, problems);
    expect(worst).toBe('problem');
    expect(groups[0]?.lines.length).toBeGreaterThan(0);
    // Findings about the lab appear once, at their step.
    const all = groups.flatMap(({ lines }) => lines.map((line) => line.text));
    expect(new Set(all.filter((line) => /arm/.test(line))).size).toBe(all.filter((line) => /arm/.test(line)).length);
  });

  it('reports a text that is not a definition', () => {
    const { definition, problems } = validateDefinition('- a list', sampleLabKnowledge);
    expect(definition).toBeNull();
    expect(checkSubmission(definition, sampleLabKnowledge, {}, problems)).toMatchObject({
      worst: 'problem',
      groups: [{}],
    });
  });
});
