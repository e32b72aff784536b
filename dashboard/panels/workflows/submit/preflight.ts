/** The result of the check before sending, as lines: problems of the text, managers, start values, then each step. */
import { submitTexts } from './texts.ts';
import type { FormProblem } from '#dashboard/components/form/entry.ts';
import type { Values, CheckStatus } from '../definition/fillStep.ts';
import { checkSteps } from '../definition/labCheck.ts';
import type { Responsiveness, LabKnowledge } from '../definition/labKnowledge.ts';
import { stepTitle, type Definition, type DefinitionStep } from '../definition/model.ts';
import type { Path, Problem } from '../definition/source.ts';

interface CheckLine {
  readonly status: CheckStatus;
  readonly text: string;
  /** Path in the definition; `null` if not part of it. */
  readonly path: Path | null;
  /** The position in the text instead, as an offset. */
  readonly from?: number;
}

export interface CheckGroup {
  readonly title: string;
  readonly worst: CheckStatus;
  readonly lines: readonly CheckLine[];
}

export interface Preflight {
  readonly groups: readonly CheckGroup[];
  readonly worst: CheckStatus;
}

const statusOrder: readonly CheckStatus[] = ['ok', 'unchecked', 'warning', 'problem'];

function findWorst(statuses: readonly CheckStatus[]): CheckStatus {
  return statusOrder[Math.max(0, ...statuses.map((status) => statusOrder.indexOf(status)))] ?? 'ok';
}

const texts = submitTexts;

function managerLine(name: string, { isResponding, reason }: Responsiveness, purpose: string): CheckLine {
  if (isResponding) return { status: 'ok', text: `${name} manager answers.`, path: null };
  return { status: 'problem', text: `${name} manager does not answer: ${reason}. ${purpose}`.trim(), path: null };
}

function managerGroup(definition: Definition, knowledge: LabKnowledge): CheckGroup {
  const { workcell, location, data } = texts.managerNames;
  const lines = [
    managerLine(workcell, knowledge.workcell, ''),
    managerLine(location, knowledge.location, 'Every start needs it.'),
  ];
  if (definition.parameters.some(({ kind }) => kind === 'file'))
    lines.push(managerLine(data, knowledge.data, 'It stores the files.'));
  if (knowledge.engineFailure !== null)
    lines.push({
      status: 'warning',
      text: `The workcell is in an error state and starts no step until its manager restarts: ${knowledge.engineFailure}`,
      path: null,
    });
  return { title: 'Managers', worst: findWorst(lines.map(({ status }) => status)), lines };
}

/** Returns the group of start values; no group if there are none. */
function inputGroups(definition: Definition, formProblems: readonly FormProblem[]): CheckGroup[] {
  if (!definition.parameters.some(({ kind }) => kind === 'json' || kind === 'file')) return [];
  const problems = formProblems.map(({ name, problem }): CheckLine => ({
    status: 'problem',
    text: texts.firstProblem(name, problem),
    path: null,
  }));
  const lines =
    problems.length > 0 ? problems : [{ status: 'ok', text: 'All parameters have values.', path: null } as const];
  return [{ title: texts.form, worst: findWorst(lines.map(({ status }) => status)), lines }];
}

/** Returns a line for each file of the step that the form lacks: its declaration alone does not make the step runnable. */
function missingFileLines({ files, path }: DefinitionStep, formProblems: readonly FormProblem[]): CheckLine[] {
  return Object.entries(files).flatMap(([file, parameter]) =>
    formProblems
      .filter(({ section, name }) => section === 'files' && name === parameter)
      .map(({ problem }): CheckLine => ({
        status: 'problem',
        text: texts.firstProblem(parameter, problem),
        path: [...path, 'files', file],
      })),
  );
}

/** Returns the editor's problems, without those of the lab that the steps report. */
function definitionGroup(problems: readonly Problem[], stepMessages: ReadonlySet<string>): CheckGroup[] {
  const lines = problems
    .filter(({ message }) => !stepMessages.has(message))
    .map(({ severity, message, line, from }): CheckLine => ({
      status: severity === 'error' ? 'problem' : severity,
      text: texts.firstProblem(texts.line(line), message),
      path: null,
      from,
    }));
  return lines.length === 0
    ? []
    : [{ title: texts.definition, worst: findWorst(lines.map(({ status }) => status)), lines }];
}

/** @param problems problems in the editor; @param formProblems problems of the start form */
export function checkSubmission(
  definition: Definition | null,
  knowledge: LabKnowledge,
  values: Values,
  problems: readonly Problem[] = [],
  formProblems: readonly FormProblem[] = [],
): Preflight {
  const findings = definition === null ? [] : checkSteps(definition, knowledge, values);
  const editorGroups = definitionGroup(problems, new Set(findings.map(({ text: message }) => message)));
  if (definition === null) return { groups: editorGroups, worst: 'problem' };
  const groups = [
    ...editorGroups,
    managerGroup(definition, knowledge),
    ...inputGroups(definition, formProblems),
    ...definition.steps.map((step, index): CheckGroup => {
      const missingFiles = missingFileLines(step, formProblems);
      const lines = findings
        .filter(
          ({ step: each, aspect, status }) =>
            each === index && !(missingFiles.length > 0 && aspect === 'files' && status === 'ok'),
        )
        .map(({ status, text: message, path }): CheckLine => ({ status, text: message, path }))
        .concat(missingFiles);
      return { title: stepTitle(step, index), worst: findWorst(lines.map(({ status }) => status)), lines };
    }),
  ];
  return { groups, worst: findWorst(groups.map(({ worst }) => worst)) };
}
