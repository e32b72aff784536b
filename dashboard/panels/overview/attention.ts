/** Managers and lab conditions that need attention, and the order of all items. Pure. */
import { isLoopbackHost } from '#api/hosts.ts';
import type { LabContext, LabHistory, Maintenance, ManagerStatus } from '#api/lab/lab.ts';
import { describeUnsetAddresses } from '#api/lab/settings.ts';
import { outsideMaintenance } from '#api/lab/maintenance.ts';
import { contextKey, managerKeys, managerName, managerTitle, type ManagerKey } from '#api/managers.ts';
import { managerAppearances, type StateAppearance } from '#api/states.ts';
import { readLabVersion } from '#api/version.ts';
import type { AttentionItem } from '../panel.ts';
import { overviewTexts as texts } from './texts.ts';
import { formatDuration, parseTime } from '../../base/time.ts';
import { parseHost } from '../../managers/transport/addresses.ts';
import { managerReason } from '../../managers/lab/labBadge.ts';

export interface AttentionInput {
  readonly managers: readonly ManagerStatus[];
  readonly maintenance?: readonly Maintenance[];
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

export function createAttentionItems(state: AttentionInput): AttentionItem[] {
  const watched = outsideMaintenance(state.managers, state.maintenance);
  if (watched.length > 1 && watched.every((manager) => manager.state === 'unreachable'))
    return [allManagersItem(watched), ...createLabItems({ ...state, loopbackAddressCount: 0 })];
  return [...watched.flatMap(createManagerItems), ...createLabItems(state)];
}

/** One item for a lab in which nothing responds, since the last manager failed. */
function allManagersItem(managers: readonly ManagerStatus[]): AttentionItem {
  const times = managers.flatMap(({ since }) => parseTime(since) ?? []);
  return {
    key: 'managers',
    appearance: managerAppearances.unreachable,
    name: texts.allManagers(managers.length),
    reason: texts.noResponse,
    since: times.length === 0 ? null : Math.max(...times),
    action: { label: texts.checkNow },
  };
}

function createManagerItems(manager: ManagerStatus): AttentionItem[] {
  if (manager.state === 'healthy' || manager.state === 'unknown') return [];
  return [
    {
      key: `manager ${manager.manager}`,
      appearance: managerAppearances[manager.state],
      name: managerTitle(manager.manager),
      reason: managerReason(manager, formatDuration) || managerAppearances[manager.state].label,
      since: parseTime(manager.since),
      action: { label: texts.checkNow },
    },
  ];
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

function createLabItems({ managers, loopbackAddressCount, unsetAddresses = [] }: AttentionInput): AttentionItem[] {
  const appearance: StateAppearance = { ...managerAppearances.slow, label: '' };
  const action = { label: texts.openLab, to: '/lab' };
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
      name: texts.version,
      reason: texts.versions(list),
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
  if (loopbackAddressCount > 0)
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
