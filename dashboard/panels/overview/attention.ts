/** The items of what needs a person, and of the lab's configuration; the order of the other items. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { LabContext, LabHistory, ManagerStatus } from '#api/lab/lab.ts';
import { describeUnsetAddresses } from '#api/lab/settings.ts';
import { needReasonText, type Need } from '#api/lab/needs.ts';
import { contextKey, managerKeys, managerName, type ManagerKey } from '#api/managers.ts';
import { managerAppearances, type StateAppearance } from '#api/states.ts';
import { readLabVersion } from '#api/version.ts';
import type { AttentionItem } from '../panel.ts';
import { overviewTexts as texts } from './texts.ts';
import { nodePage, workflowPage } from '../../base/objectPages.ts';
import { parseHost } from '../../managers/transport/addresses.ts';

export interface AttentionInput {
  readonly managers: readonly ManagerStatus[];
  /** The number of loopback addresses that other machines receive unchanged. */
  readonly loopbackAddressCount: number;
  /** The managers whose addresses no source sets, in a lab that sets others. */
  readonly unsetAddresses?: readonly ManagerKey[] | undefined;
}

/**
 * Returns the number of items before the "show more" button: every current condition, and past ones up to a limit. A
 * button for a single hidden item is replaced by the item.
 */
export function countInitiallyShown(items: readonly Pick<AttentionItem, 'past'>[], isSmallScreen: boolean): number {
  const visibleCount = Math.max(isSmallScreen ? 3 : 8, items.filter(({ past }) => !past).length);
  return items.length <= visibleCount + 1 ? items.length : visibleCount;
}

/** Returns current conditions before past ones, then sorted by severity, then newest first. */
export function rankItems(items: readonly AttentionItem[]): AttentionItem[] {
  return items.toSorted(
    (a, b) =>
      Number(a.past ?? false) - Number(b.past ?? false) ||
      b.appearance.severity - a.appearance.severity ||
      (b.since ?? 0) - (a.since ?? 0),
  );
}

/** Maximum number of hidden items to store: more than the failed workflows and experiments of a typical week. */
const maxHidden = 500;

/** Returns the keys of the hidden items including `key`, without the oldest ones above the limit. */
export function hideItem(hiddenKeys: readonly string[], key: string): string[] {
  return [...hiddenKeys.filter((hiddenKey) => hiddenKey !== key), key].slice(0 - maxHidden);
}

/** Returns the item of something that needs a person. */
export function toAttentionItem(need: Need): AttentionItem {
  const { kind, id, name, appearance, since, advice } = need;
  const reason = needReasonText({ ...need, reason: need.reason || appearance.label });
  return {
    key: `${kind} ${id}`,
    appearance,
    name,
    reason: `${reason}. ${advice}.`,
    since,
    action: createAction(need),
  };
}

function createAction({ kind, id }: Need): AttentionItem['action'] {
  switch (kind) {
    case 'node':
      return { label: 'Open node', to: nodePage(id) };
    case 'workcell':
      return { label: 'Open workcell', to: '/workcells' };
    case 'workflow':
    case 'step':
      return { label: 'Open workflow', to: workflowPage(id) };
    case 'manager':
    case 'stop':
      return { label: 'Check now' };
  }
}

/**
 * Counts the loopback addresses that other machines receive unchanged and can't use; 0 if they use the relay, and in a demo
 * lab, where this is intended.
 */
export function countLoopbackAddresses(
  context: LabContext,
  settings: Readonly<Record<string, unknown>>,
  lab: Pick<LabHistory, 'demo' | 'remote_access'> | undefined,
): number {
  if (lab?.demo || lab?.remote_access !== undefined || (settings['advertised_host'] ?? '') !== '') return 0;
  return managerKeys.filter((key) => isLoopbackHost(parseHost(context[contextKey(key)] ?? '') ?? '')).length;
}

/** Returns the conditions of the lab's configuration; where no manager responds, addresses are no warning. */
export function createLabItems({
  managers,
  loopbackAddressCount,
  unsetAddresses = [],
}: AttentionInput): AttentionItem[] {
  const appearance: StateAppearance = { ...managerAppearances.slow, label: '' };
  const action = { label: 'Open Lab', to: '/lab' };
  const items: AttentionItem[] = [];
  const versions = managers.flatMap(({ manager, version }) => {
    const parsedVersion = readLabVersion(version);
    return parsedVersion === null
      ? []
      : [{ name: managerName(manager), version: version ?? '', parsed: parsedVersion }];
  });
  if (new Set(versions.map(({ parsed }) => parsed)).size > 1) {
    const list = versions.map(({ name, version }) => `${name} ${version}`).join(', ');
    items.push({
      key: 'versions',
      appearance,
      name: 'Versions',
      reason: `Managers run different versions of MADSci: ${list}`,
      since: null,
      action,
    });
  }
  if (unsetAddresses.length > 0)
    items.push({
      key: 'unset addresses',
      appearance,
      name: texts.addresses,
      reason: describeUnsetAddresses(unsetAddresses.map(contextKey)),
      since: null,
      action,
    });
  if (loopbackAddressCount > 0 && managers.some(({ state }) => state !== 'unreachable'))
    items.push({
      key: 'addresses',
      appearance: { ...appearance, severity: 0 },
      name: texts.addresses,
      reason: texts.ownAddress(loopbackAddressCount),
      since: null,
      action,
      hideable: true,
    });
  return items;
}
