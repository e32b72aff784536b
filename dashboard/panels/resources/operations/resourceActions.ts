/** Commands on one resource: premise, request, and the expected answer. */
import type { Resource } from '../../../../api/managers/resourceTypes.ts';
import type { Premise } from '../../../managers/commands/premise.ts';
import { confirmedIf, type CommandResult } from '../../../managers/commands/commandResult.ts';
import { isConsumable } from '../../../managers/resource/amount.ts';
import { isKeyed, type ResourceRow } from '../../../managers/resource/resourceRow.ts';
import { lockHolder } from '../../../managers/resource/holder.ts';
import type { ResourceIndex } from '../../../managers/resource/resourceIndex.ts';
import {
  absencePremise,
  endOf,
  resourcePremise,
  type Facet,
  type ShownResource,
} from '../../../managers/resource/resourcePremise.ts';
import { resourceTexts } from '../../../managers/resource/texts.ts';
import { resourcesTexts } from '../texts.ts';
import type { Operating, ResourceCommands } from './useOperate.ts';

const texts = resourcesTexts.operations;

type AmountAction =
  | { readonly kind: 'setQuantity' | 'increase' | 'decrease'; readonly value: number }
  | { readonly kind: 'setCapacity'; readonly value: number | null }
  | { readonly kind: 'fill' };

type ContentAction =
  | { readonly kind: 'empty' | 'pop' }
  | { readonly kind: 'push'; readonly child: ResourceRow }
  | { readonly kind: 'setChild'; readonly child: ResourceRow; readonly key: string }
  | { readonly kind: 'removeChild'; readonly key: string }
  | { readonly kind: 'move'; readonly into: ResourceRow; readonly key: string };

export type ResourceAction =
  | AmountAction
  | ContentAction
  | { readonly kind: 'lock' | 'remove' }
  | { readonly kind: 'unlock'; readonly holder: string | null };

type Interpretation = CommandResult | string;

interface ResourceOperation {
  readonly premise: Premise<readonly Resource[]>;
  /** The entered amount, for the dialog that confirms a changed premise. */
  readonly sends?: string;
  readonly run: () => Promise<Resource | readonly Resource[]>;
  /** `now`: the state read immediately before sending; `null` if it could not be read. */
  readonly interpretAnswer: (answer: Resource | readonly Resource[], now: readonly Resource[] | null) => Interpretation;
}

interface OperationParts extends Pick<Operating, 'client' | 'reader'> {
  readonly row: ResourceRow;
  readonly shown: ShownResource;
  readonly at: { readonly resource_id: string };
  /** Facets of the contents: an amount, or children. */
  readonly content: readonly Facet[];
}

/** The premise, the request and the check of its answer. */
export function resourceOperation(
  { client, reader }: Pick<Operating, 'client' | 'reader'>,
  row: ResourceRow,
  index: ResourceIndex,
  action: ResourceAction,
): ResourceOperation {
  const at = { resource_id: row.id };
  const shown: ShownResource = { row, index };
  const content: readonly Facet[] = isConsumable(row) ? ['quantity'] : ['contents'];
  const parts: OperationParts = { client, reader, row, shown, at, content };
  switch (action.kind) {
    case 'setQuantity':
    case 'increase':
    case 'decrease':
    case 'setCapacity':
    case 'fill':
      return amountOperation(parts, action);
    case 'empty':
    case 'push':
    case 'pop':
    case 'setChild':
    case 'removeChild':
    case 'move':
      return contentOperation(parts, action);
    case 'lock':
      return {
        premise: resourcePremise(reader, [shown, ['lock']]),
        run: () => client().lockResource({ ...at, client_id: lockHolder() }),
        interpretAnswer: expects(({ locked_by: holder }) => holder === lockHolder()),
      };
    // Sent with the holder's ID, because the manager lets only the holder unlock.
    case 'unlock':
      return {
        premise: resourcePremise(reader, [shown, ['lock']]),
        run: () => client().unlockResource({ ...at, client_id: action.holder }),
        interpretAnswer: expects(({ locked_by: holder }) => (holder ?? null) === null),
      };
    case 'remove':
      return {
        premise: resourcePremise(reader, [shown, ['place', ...content]]),
        run: () => client().deleteResource(at),
        interpretAnswer: expects(({ resource_id: id }) => id === row.id),
      };
  }
}

function amountOperation({ client, reader, row, shown, at }: OperationParts, action: AmountAction): ResourceOperation {
  const amount = (value: number): string => resourceTexts.amount(value, row.unit);
  const quantityText = ({ quantity }: Resource): string => texts.quantityNow(amount(quantity ?? 0));
  const hasQuantity = (isSo: (now: number) => boolean) =>
    expects(({ quantity }) => typeof quantity === 'number' && isSo(quantity), quantityText);
  /** The manager stops at 0. */
  const changesBy =
    (difference: number): ResourceOperation['interpretAnswer'] =>
    (answer, now) =>
      changedText(answer, now?.[0]?.quantity ?? null, difference, amount);

  switch (action.kind) {
    case 'setQuantity':
      return {
        premise: resourcePremise(reader, [shown, ['quantity', 'capacity']]),
        sends: `${texts.setTo} ${amount(action.value)}`,
        run: () => client().setQuantity({ ...at, quantity: action.value }),
        interpretAnswer: hasQuantity((now) => isEqual(now, action.value)),
      };
    // Relative changes keep concurrent changes of the quantity; only the capacity and the minimum of 0 limit them.
    case 'increase':
      return {
        premise: resourcePremise(reader, [shown, ['quantity', 'capacity']]),
        sends: `${texts.increase} ${amount(action.value)}`,
        run: () => client().increaseQuantity({ ...at, amount: action.value }),
        interpretAnswer: changesBy(action.value),
      };
    case 'decrease':
      return {
        premise: resourcePremise(reader, [shown, ['quantity', 'capacity']]),
        sends: `${texts.decrease} ${amount(action.value)}`,
        run: () => client().decreaseQuantity({ ...at, amount: action.value }),
        interpretAnswer: changesBy(-action.value),
      };
    case 'setCapacity':
      return {
        premise: resourcePremise(reader, [shown, ['quantity', 'capacity']]),
        sends: action.value === null ? texts.noCapacity : `${texts.setTo} ${amount(action.value)}`,
        run: () =>
          action.value === null ? client().removeCapacity(at) : client().setCapacity({ ...at, capacity: action.value }),
        interpretAnswer: expects(({ capacity }) =>
          action.value === null ? (capacity ?? null) === null : isEqual(capacity ?? NaN, action.value),
        ),
      };
    case 'fill':
      return {
        premise: resourcePremise(reader, [shown, ['quantity', 'capacity']]),
        run: () => client().fillResource(at),
        interpretAnswer: expects(
          ({ quantity, capacity }) => isEqual(quantity ?? NaN, capacity ?? row.capacity ?? NaN),
          quantityText,
        ),
      };
  }
}

function contentOperation(
  { client, reader, row, shown, at, content }: OperationParts,
  action: ContentAction,
): ResourceOperation {
  const other = (one: ResourceRow): ShownResource => ({ row: one, index: shown.index });
  switch (action.kind) {
    case 'empty':
      return {
        premise: resourcePremise(reader, [shown, content]),
        run: () => client().emptyResource(at),
        interpretAnswer: expects(
          ({ quantity, children }) => (quantity ?? 0) === 0 && Object.keys(children ?? {}).length === 0,
        ),
      };
    case 'push':
      return {
        premise: resourcePremise(reader, [shown, ['capacity']], [other(action.child), ['place']]),
        run: () => client().pushResource({ ...at, body: { child_id: action.child.id } }),
        interpretAnswer: expects((answer) => contains(answer, action.child.id)),
      };
    case 'pop':
      return {
        premise: resourcePremise(reader, [shown, ['end']]),
        run: () => client().popResource(at),
        interpretAnswer: (answer) => poppedText(shown, answer),
      };
    case 'setChild':
      return {
        premise: resourcePremise(reader, [shown, [{ key: action.key }]], [other(action.child), ['place']]),
        run: () => client().setChild({ ...at, body: { key: action.key, child: action.child.id } }),
        interpretAnswer: expects((answer) => contains(answer, action.child.id)),
      };
    case 'removeChild':
      return {
        premise: resourcePremise(reader, [shown, [{ key: action.key }]]),
        run: () => client().removeChild({ ...at, body: { key: action.key } }),
        interpretAnswer: expects(
          ({ children }) => !Object.values(children ?? {}).some((child) => child?.key === action.key),
        ),
      };
    case 'move':
      return {
        premise: resourcePremise(
          reader,
          [shown, ['place']],
          [other(action.into), isKeyed(action.into) ? [{ key: action.key }] : ['capacity']],
        ),
        run: () =>
          isKeyed(action.into)
            ? client().setChild({ resource_id: action.into.id, body: { key: action.key, child: row.id } })
            : client().pushResource({ resource_id: action.into.id, body: { child_id: row.id } }),
        interpretAnswer: expects((answer) => contains(answer, row.id)),
      };
  }
}

/** Returns a check of the answer: the condition, and the result text if it is met. */
const expects =
  (isSo: (answer: Resource) => boolean, text: (answer: Resource) => string = () => texts.done) =>
  (answer: Resource | readonly Resource[]): Interpretation => {
    const resource = Array.isArray(answer) ? undefined : (answer as Resource);
    return resource !== undefined && isSo(resource)
      ? text(resource)
      : { state: 'unclear', text: texts.otherAnswer(amountOfAnswer(resource)) };
  };

const contains = ({ children }: Resource, id: string): boolean =>
  Object.values(children ?? {}).some((child) => child?.resource_id === id);

/** The database stores amounts as floating-point numbers. */
export const isEqual = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

function amountOfAnswer(resource: Resource | undefined): string {
  const quantity = resource?.quantity;
  return typeof quantity === 'number' ? resourceTexts.amount(quantity, '') : '';
}

/** The answer includes concurrent changes between reading and command; the result is then reported as unconfirmed. */
function changedText(
  answer: Resource | readonly Resource[],
  before: number | null,
  difference: number,
  amount: (value: number) => string,
): Interpretation {
  const now = Array.isArray(answer) ? null : ((answer as Resource).quantity ?? null);
  if (now === null) return { state: 'unclear', text: texts.otherAnswer('') };
  if (before === null) return { state: 'unclear', text: texts.quantityUnread(amount(now)) };
  const expected = Math.max(0, before + difference);
  if (isEqual(now, expected)) return texts.quantityChanged(amount(now), amount(before));
  return { state: 'unclear', text: texts.quantityOther(amount(now), amount(before), amount(expected)) };
}

/** A removed resource is restored with its contents. */
export function restoring(reader: Operating['reader'], id: string) {
  return {
    premise: absencePremise(reader, id),
    run: (to: ResourceCommands) => to.restoreResource({ resource_id: id }),
    interpretAnswer: (answer: Resource): CommandResult =>
      confirmedIf(answer.resource_id === id, texts.done, texts.otherAnswer('')),
  };
}

/** The manager pops the item at the end when the request arrives, so only its answer shows which one. */
function poppedText({ row, index }: ShownResource, answer: Resource | readonly Resource[]): Interpretation {
  const expected = endOf(row.type, index.childrenOf(row));
  const child = Array.isArray(answer) ? (answer as readonly Resource[])[0] : undefined;
  if (child === undefined) return { state: 'unclear', text: texts.otherAnswer('') };
  if (child.resource_id !== expected?.id)
    return { state: 'unclear', text: texts.poppedOther(child.resource_name, expected?.name ?? '') };
  return texts.popped(child.resource_name);
}
