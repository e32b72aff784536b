/**
 * Checks a definition against the lab: node, action, arguments, locations and files of each step. The editor shows
 * problems, the check before submitting shows all results.
 */
import type { ActionDefinition } from '#api/managers/action.ts';
import { definitionTexts } from './texts.ts';
import { builtIns } from './keys.ts';
import type { LabKnowledge } from './labKnowledge.ts';
import { fillStep, effectiveValues, type FilledStep, type Finding, type StepContext, type Values } from './fillStep.ts';
import { checkTransfer } from './transferCheck.ts';
import { checkArguments, checkBuiltInArguments, checkFiles, checkLocations } from './stepArguments.ts';
import type { Definition } from './model.ts';
import { findNearestName } from '#api/nearestName.ts';
import type { Issue, Path } from './source.ts';

const texts = definitionTexts.lab;

function checkNode({ filled, knowledge, report }: StepContext): ActionDefinition | 'builtIn' | null {
  const { node, nodeParameter, action, actionParameter, step } = filled;
  const nodePath = [...step.path, nodeParameter === null ? 'node' : 'use_parameters'];
  const actionPath = [...step.path, actionParameter === null ? 'action' : 'use_parameters'];
  if (nodeParameter !== null) {
    report('node', 'unchecked', `The node comes from the parameter “${nodeParameter}”.`, nodePath);
    return null;
  }
  if (node === null) {
    if (actionParameter !== null) {
      report('action', 'unchecked', texts.actionFrom(actionParameter), actionPath);
      return null;
    }
    if (action === null) return null;
    if (Object.hasOwn(builtIns, action)) {
      report('node', 'ok', 'The workcell manager executes this step itself.');
      report('action', 'ok', `${action} is one of its own actions.`);
      return 'builtIn';
    }
    const owner = Object.entries(knowledge.nodes).find(
      ([, info]) => info !== null && Object.hasOwn(info.actions, action),
    );
    const nearest = findNearestName(action, Object.keys(builtIns));
    report(
      'action',
      'problem',
      texts.noBuiltIn(action, Object.keys(builtIns).join(', '), nearest, owner?.[0] ?? null),
      actionPath,
    );
    return null;
  }
  if (!knowledge.workcell.isResponding) {
    report(
      'node',
      'unchecked',
      `Not checked whether there is a node ${node}: the workcell manager did not respond.`,
      nodePath,
    );
    return null;
  }
  if (!Object.hasOwn(knowledge.nodes, node)) {
    report('node', 'problem', texts.noNode(node, findNearestName(node, Object.keys(knowledge.nodes))), nodePath);
    return null;
  }
  report('node', 'ok', `Node ${node} is in this workcell.`, nodePath);
  checkState(node, nodePath, knowledge, report);
  return checkAction(node, filled, actionPath, knowledge, report);
}

function checkState(node: string, path: Path, knowledge: LabKnowledge, report: StepContext['report']): void {
  const status = knowledge.statuses[node] ?? null;
  if (status === null) report('state', 'unchecked', `The state of ${node} has not been read yet.`, path);
  else if (status.disconnected)
    report('state', 'warning', `The workcell manager can’t reach ${node}: the step waits until it can.`, path);
  else if (status.stopped) report('state', 'warning', texts.notReady(node, 'stopped'), path);
  else if (status.busy && !status.errored && !status.locked && !status.paused)
    report('state', 'ok', `${node} is busy; the step is queued.`, path);
  else if (status.ready === false) report('state', 'warning', texts.notReady(node, status.description ?? ''), path);
  else report('state', 'ok', `${node} is ready.`, path);
}

function checkAction(
  node: string,
  { action, actionParameter }: FilledStep,
  path: Path,
  knowledge: LabKnowledge,
  report: StepContext['report'],
): ActionDefinition | null {
  const info = knowledge.nodes[node] ?? null;
  if (actionParameter !== null) {
    report('action', 'unchecked', texts.actionFrom(actionParameter), path);
    return null;
  }
  if (action === null) return null;
  if (info === null) {
    report('action', 'unchecked', `Not checked: ${node} has not reported its actions yet.`, path);
    return null;
  }
  const declaration = Object.hasOwn(info.actions, action) ? info.actions[action] : undefined;
  if (declaration === undefined) {
    report('action', 'problem', texts.noAction(node, action, findNearestName(action, Object.keys(info.actions))), path);
    return null;
  }
  report('action', 'ok', `${node} has the action ${action}.`, path);
  return declaration;
}

/** A condition on a missing location is never met, so the step waits forever. */
function checkConditions({ filled: { step }, knowledge: { locations, location }, report }: StepContext): void {
  if (!location.isResponding) return;
  const names = locations.map(({ name }) => name);
  for (const [index, { location_name: name }] of step.conditions.entries()) {
    if (typeof name !== 'string' || name === '' || names.includes(name)) continue;
    const path = [...step.path, 'conditions', index, 'location_name'];
    report('conditions', 'problem', texts.conditionNoLocation(name, findNearestName(name, names)), path);
  }
}

/** Returns all findings about each step, including passed checks. */
export function checkSteps(definition: Definition, knowledge: LabKnowledge, input: Values = {}): Finding[] {
  const values = effectiveValues(definition, input);
  return definition.steps.flatMap((step, index) => {
    const findings: Finding[] = [];
    const context: StepContext = {
      filled: fillStep(step, index, values),
      definition,
      knowledge,
      values,
      report: (aspect, status, message, path = step.path, part = undefined) =>
        findings.push({ step: index, aspect, status, text: message, path, part }),
    };
    const action = checkNode(context);
    if (action === 'builtIn') checkBuiltInArguments(context);
    else if (action !== null) {
      checkArguments(context, action);
      checkFiles(context, action);
    }
    checkLocations(context, action === 'builtIn' ? null : action);
    checkConditions(context);
    checkTransfer(context, (node) => checkState(node, step.path, knowledge, context.report));
    return findings;
  });
}

const severities = { problem: 'error', warning: 'warning', unchecked: 'unchecked' } as const;

/** Returns the findings for the editor, without passed checks and findings about the lab’s current state. */
export function toIssues(findings: readonly Finding[]): Issue[] {
  return findings.flatMap(({ aspect, status, text: message, path, part }) =>
    status === 'ok' || aspect === 'state'
      ? []
      : [{ severity: severities[status], path, message, ...(part === undefined ? {} : { part }) }],
  );
}
