/** Parses a text into a definition and returns every problem with its position, including problems with the lab. */
import type { Values } from './fillStep.ts';
import { checkSteps, toIssues } from './labCheck.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import type { Definition } from './model.ts';
import { readDefinition } from './readDefinition.ts';
import { checkReferences } from './references.ts';
import { readSource, type Issue, type Problem, type Severity, type Source } from './source.ts';

export interface ValidationResult {
  readonly source: Source;
  /** `null` if the text is not a definition. With errors, the readable part. */
  readonly definition: Definition | null;
  /** In the order of the text. */
  readonly problems: readonly Problem[];
  readonly errors: number;
}

const severityOrder: Readonly<Record<Severity, number>> = { error: 0, warning: 1, unchecked: 2 };

/** A manager that does not respond is reported once instead of for each step. */
function reportUnresponsiveManagers(definition: Definition, knowledge: LabKnowledge): Issue[] {
  const issues: Issue[] = [];
  const { steps } = definition;
  if (!knowledge.workcell.isResponding && steps.some(({ node }) => node !== null))
    issues.push({
      severity: 'unchecked',
      path: ['steps'],
      message: 'The workcell manager did not respond: nodes and actions are not checked.',
      part: 'key',
    });
  if (!knowledge.location.isResponding && steps.some(({ locations }) => Object.keys(locations).length > 0))
    issues.push({
      severity: 'unchecked',
      path: ['steps'],
      message: 'The location manager did not respond: locations are not checked.',
      part: 'key',
    });
  return issues;
}

function labProblems(definition: Definition, knowledge: LabKnowledge, values: Values): Issue[] {
  const issues = toIssues(checkSteps(definition, knowledge, values));
  // Unknown parameter values are not marked during editing.
  const certain = issues.filter(({ severity }) => severity !== 'unchecked');
  const uncheckedActions = issues.filter(({ severity, path }) => severity === 'unchecked' && path.at(-1) === 'action');
  return [
    ...certain,
    ...(knowledge.workcell.isResponding ? uncheckedActions : []),
    ...reportUnresponsiveManagers(definition, knowledge),
  ];
}

export function validateDefinition(text: string, knowledge: LabKnowledge, values: Values = {}): ValidationResult {
  const source = readSource(text);
  const isBroken = source.syntax.some(({ severity }) => severity === 'error');
  const { definition, issues } = readDefinition(source.value);
  const all: readonly Issue[] = [
    // For unreadable text, only the syntax error is reported.
    ...(isBroken && definition === null ? [] : issues),
    ...(definition === null ? [] : checkReferences(definition)),
    ...(definition === null ? [] : labProblems(definition, knowledge, values)),
  ];
  const located = all.map((issue): Problem => ({
    ...source.locate(issue),
    severity: issue.severity,
    message: issue.message,
  }));
  const problems = [...source.syntax, ...located].toSorted(
    (a, b) => a.from - b.from || severityOrder[a.severity] - severityOrder[b.severity],
  );
  return { source, definition, problems, errors: problems.filter(({ severity }) => severity === 'error').length };
}
