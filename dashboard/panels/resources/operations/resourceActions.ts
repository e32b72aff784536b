/** Commands on one resource: premise, request, and the expected response. */
import { ref } from 'vue';
import type { ResourceBody } from '#api/managers/resourceBody.ts';
import { listChildren, type Resource } from '#api/managers/resourceTypes.ts';
import type { Premise } from '#dashboard/managers/commands/premise.ts';
import { resultFromConfirmation, type CommandResult } from '#dashboard/managers/commands/commandResult.ts';
import { isConsumable, lowMarkKey } from '#dashboard/managers/resource/amount.ts';
import { isKeyed, isOrdered, unitKey, type ResourceRow } from '#dashboard/managers/resource/resourceRow.ts';
import { getOwnLockHolder } from '#dashboard/managers/resource/lockHolder.ts';
import type { ResourceIndex } from '#dashboard/managers/resource/resourceIndex.ts';
import {
  absencePremise,
  findNextToPop,
  resourcePremise,
  type Facet,
  type ShownResource,
} from '#dashboard/managers/resource/resourcePremise.ts';
import { applyEdit } from '#dashboard/managers/resource/saveEdit.ts';
import { resourceTexts } from '#dashboard/managers/resource/texts.ts';
import { useIsMounted } from '#dashboard/base/ui.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { resourcesTexts } from '../texts.ts';
import { explainOccupied } from './addChild.ts';
import { useResourceOperations, type ResourceOperations, type ResourceCommands } from './useResourceOperations.ts';

const texts = resourcesTexts.operations;

type AmountAction =
  | { readonly kind: 'setQuantity' | 'increase' | 'decrease'; readonly value: number }
  | { readonly kind: 'setCapacity'; readonly value: number | null }
  | { readonly kind: 'fill' };

type ContentAction =
  | { readonly kind: 'pop' }
  | { readonly kind: 'push'; readonly child: ResourceRow }
  | { readonly kind: 'setChild'; readonly child: ResourceRow; readonly key: string }
  | { readonly kind: 'removeChild'; readonly key: string }
  /** `key`: of a keyed container; the column of a row, from 0. `place`: its displayed name, if it isn't the key. */
  | { readonly kind: 'move'; readonly into: ResourceRow; readonly key: string; readonly place?: string };

export type ResourceAction =
  | AmountAction
  | ContentAction
  | { readonly kind: 'empty' | 'lock' | 'remove' }
  /** The value `undefined` removes the attribute. */
  | { readonly kind: 'setAttribute'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'unlock'; readonly holder: string | null };

type Interpretation = CommandResult | string;

interface ResourceOperation {
  readonly premise: Premise<readonly Resource[]>;
  /** The entered amount, for the dialog that confirms a changed premise. */
  readonly inputText?: string;
  readonly run: () => Promise<Resource | readonly Resource[]>;
  /** `freshState`: the state read immediately before sending; `null` if it could not be read. */
  readonly interpretResponse: (
    response: Resource | readonly Resource[],
    freshState: readonly Resource[] | null,
  ) => Interpretation;
}

interface OperationParts {
  readonly client: ResourceOperations['client'];
  readonly row: ResourceRow;
  readonly idParameter: { readonly resource_id: string };
  /** Returns the premise for facets of the resource, and of others. */
  readonly premise: (
    facets: readonly Facet[],
    ...others: readonly (readonly [ShownResource, readonly Facet[]])[]
  ) => Premise<readonly Resource[]>;
}

/** Returns the premise, the request and the check of its response. */
export function resourceOperation(
  { client, reader }: Pick<ResourceOperations, 'client' | 'reader'>,
  row: ResourceRow,
  index: ResourceIndex,
  action: ResourceAction,
): ResourceOperation {
  const idParameter = { resource_id: row.id };
  const premise: OperationParts['premise'] = (facets, ...others) =>
    resourcePremise(reader, [{ row, index }, facets], ...others);
  const content: readonly Facet[] = isConsumable(row) ? ['quantity'] : ['contents'];
  const parts: OperationParts = { client, row, idParameter, premise };
  switch (action.kind) {
    case 'setQuantity':
    case 'increase':
    case 'decrease':
    case 'setCapacity':
    case 'fill':
      return amountOperation(parts, action);
    case 'push':
    case 'pop':
    case 'setChild':
    case 'removeChild':
    case 'move':
      return contentOperation(parts, action, index);
    case 'empty':
      return {
        premise: premise(content),
        run: () => client().emptyResource(idParameter),
        interpretResponse: resultIf(
          ({ quantity, children }) => (quantity ?? 0) === 0 && Object.keys(children ?? {}).length === 0,
        ),
      };
    case 'setAttribute':
      return {
        // A low mark is in the unit of the resource.
        premise: premise([{ attribute: action.name }, ...(action.name === lowMarkKey ? [{ attribute: unitKey }] : [])]),
        run: () => applyEdit(client(), row.id, { fields: {}, attributes: { [action.name]: action.value } }),
        // `applyEdit` has compared the response with the edit.
        interpretResponse: () => texts.done,
      };
    case 'lock':
      return {
        premise: premise(['lock']),
        run: () => client().lockResource({ ...idParameter, client_id: getOwnLockHolder() }),
        interpretResponse: resultIf(({ locked_by: holder }) => holder === getOwnLockHolder()),
      };
    // Sent with the holder's ID, because the manager lets only the holder unlock.
    case 'unlock':
      return {
        premise: premise(['lock']),
        run: () => client().unlockResource({ ...idParameter, client_id: action.holder }),
        interpretResponse: resultIf(({ locked_by: holder }) => (holder ?? null) === null),
      };
    case 'remove':
      return {
        premise: premise(['place', ...content]),
        run: () => client().deleteResource(idParameter),
        interpretResponse: resultIf(({ resource_id: id }) => id === row.id),
      };
  }
}

function amountOperation(
  { client, row, idParameter, ...parts }: OperationParts,
  action: AmountAction,
): ResourceOperation {
  const premise = parts.premise(['quantity', 'capacity']);
  const amount = (value: number): string => resourceTexts.amount(value, row.unit);
  const quantityText = ({ quantity }: Resource): string => texts.quantityNow(amount(quantity ?? 0));

  switch (action.kind) {
    case 'setQuantity':
      return {
        premise,
        inputText: `${texts.setTo} ${amount(action.value)}`,
        run: () => client().setQuantity({ ...idParameter, quantity: action.value }),
        interpretResponse: resultIf(({ quantity }) => isEqual(quantity ?? NaN, action.value), quantityText),
      };
    // Relative changes keep concurrent changes of the quantity; only the capacity and the minimum of 0 limit them.
    case 'increase':
    case 'decrease': {
      const change = { ...idParameter, amount: action.value };
      const isIncrease = action.kind === 'increase';
      return {
        premise,
        inputText: `${texts[action.kind]} ${amount(action.value)}`,
        run: () => (isIncrease ? client().increaseQuantity(change) : client().decreaseQuantity(change)),
        interpretResponse: (response, freshState) => {
          const previousQuantity = freshState?.[0]?.quantity ?? null;
          return describeChange(response, previousQuantity, isIncrease ? action.value : -action.value, amount);
        },
      };
    }
    case 'setCapacity':
      return {
        premise,
        inputText: action.value === null ? texts.noCapacity : `${texts.setTo} ${amount(action.value)}`,
        run: () =>
          action.value === null
            ? client().removeCapacity(idParameter)
            : client().setCapacity({ ...idParameter, capacity: action.value }),
        interpretResponse: resultIf(({ capacity }) =>
          action.value === null ? (capacity ?? null) === null : isEqual(capacity ?? NaN, action.value),
        ),
      };
    case 'fill':
      return {
        premise,
        run: () => client().fillResource(idParameter),
        interpretResponse: resultIf(
          ({ quantity, capacity }) => isEqual(quantity ?? NaN, capacity ?? row.capacity ?? NaN),
          quantityText,
        ),
      };
  }
}

function contentOperation(
  { client, row, idParameter, premise }: OperationParts,
  action: ContentAction,
  index: ResourceIndex,
): ResourceOperation {
  switch (action.kind) {
    case 'push':
      return {
        premise: premise(['capacity'], [{ row: action.child, index }, ['place']]),
        run: () => client().pushResource({ ...idParameter, body: { child_id: action.child.id } }),
        interpretResponse: resultIf((response) => containsChild(response, action.child.id)),
      };
    case 'pop':
      return {
        premise: premise(['end']),
        run: () => client().popResource(idParameter),
        interpretResponse: (response) => describePop({ row, index }, response),
      };
    case 'setChild':
      return {
        premise: premise([{ key: action.key }], [{ row: action.child, index }, ['place']]),
        run: () => client().setChild({ ...idParameter, body: { key: action.key, child: action.child.id } }),
        interpretResponse: resultIf((response) => containsChild(response, action.child.id)),
      };
    case 'removeChild':
      return {
        premise: premise([{ key: action.key }]),
        run: () => client().removeChild({ ...idParameter, body: { key: action.key } }),
        interpretResponse: resultIf(
          ({ children }) => !Object.values(children ?? {}).some((child) => child?.key === action.key),
        ),
      };
    case 'move':
      return {
        premise: premise(
          ['place'],
          [
            { row: action.into, index },
            isOrdered(action.into)
              ? ['capacity']
              : [{ freeKey: action.key, exceptId: row.id, place: action.place ?? texts.keyOf(action.key) }],
          ],
        ),
        run: () => sendMove(client(), row, action.into, action.key),
        interpretResponse: resultIf((response) =>
          containsChild(response, row.id, isOrdered(action.into) ? null : action.key),
        ),
      };
  }
}

async function sendMove(client: ResourceCommands, { id }: ResourceRow, into: ResourceRow, key: string) {
  const resource_id = into.id;
  if (isOrdered(into)) return client.pushResource({ resource_id, body: { child_id: id } });
  if (isKeyed(into)) return client.setChild({ resource_id, body: { key, child: id } });
  // A row accepts no ID; it moves the resource with the ID of the complete one that it receives.
  const child = await client.getResource({ resource_id: id });
  return client
    .setChild({ resource_id, body: { key: Number(key), child: child as ResourceBody } })
    .catch(explainOccupied);
}

/** Returns a function that returns the text if the response meets the condition, otherwise the state `unclear`. */
const resultIf =
  (isExpected: (response: Resource) => boolean, text: (response: Resource) => string = () => texts.done) =>
  (response: Resource | readonly Resource[]): Interpretation => {
    const resource = Array.isArray(response) ? undefined : (response as Resource);
    return resource !== undefined && isExpected(resource)
      ? text(resource)
      : { state: 'unclear', text: texts.unexpectedResponse(describeQuantity(resource)) };
  };

/** @param key the key that the child must have; `null` for any */
const containsChild = (resource: Resource, id: string, key: string | null = null): boolean =>
  listChildren(resource).some(({ child }) => child.resource_id === id && (key === null || child.key === key));

/** The database stores amounts as floating-point numbers. */
export const isEqual = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

function describeQuantity(resource: Resource | undefined): string {
  const quantity = resource?.quantity;
  return typeof quantity === 'number' ? resourceTexts.amount(quantity, '') : '';
}

/** Another change between reading and command makes the result unconfirmed; the manager sets no quantity below 0. */
function describeChange(
  response: Resource | readonly Resource[],
  previousQuantity: number | null,
  difference: number,
  amount: (value: number) => string,
): Interpretation {
  const current = Array.isArray(response) ? null : ((response as Resource).quantity ?? null);
  if (current === null) return { state: 'unclear', text: texts.unexpectedResponse('') };
  if (previousQuantity === null) return { state: 'unclear', text: texts.quantityUnread(amount(current)) };
  const expected = Math.max(0, previousQuantity + difference);
  if (isEqual(current, expected)) return texts.quantityChanged(amount(current), amount(previousQuantity));
  return { state: 'unclear', text: texts.quantityOther(amount(current), amount(previousQuantity), amount(expected)) };
}

/** Returns the command that restores a removed resource with its contents. */
export function createRestoreCommand(reader: ResourceOperations['reader'], id: string) {
  return {
    premise: absencePremise(reader, id),
    run: (client: ResourceCommands) => client.restoreResource({ resource_id: id }),
    interpretResponse: (response: Resource): CommandResult =>
      resultFromConfirmation(response.resource_id === id, texts.done, texts.unexpectedResponse('')),
  };
}

/** The manager pops the item at the end when the request arrives, so only its response shows which one. */
function describePop({ row, index }: ShownResource, response: Resource | readonly Resource[]): Interpretation {
  const expected = findNextToPop(row.type, index.getChildren(row));
  const child = Array.isArray(response) ? (response as readonly Resource[])[0] : undefined;
  if (child === undefined) return { state: 'unclear', text: texts.unexpectedResponse('') };
  if (child.resource_id !== expected?.id)
    return { state: 'unclear', text: texts.poppedOther(child.resource_name, expected?.name ?? '') };
  return texts.popped(child.resource_name);
}

/** Sends the operation of a dialog once, for the resource as it was when the dialog opened. Called in the dialog's setup. */
export function useDialogOperation(row: ResourceRow) {
  const { index } = useResources();
  const resourceOperations = useResourceOperations();
  const isMounted = useIsMounted();
  /** The resources when the dialog opened. */
  const snapshot = index.value;
  const busy = ref(false);

  /** @returns whether it succeeded; otherwise the dialog stays open with its input and shows the reason */
  async function perform(verb: string, action: ResourceAction): Promise<boolean> {
    busy.value = true;
    const operation = resourceOperation(resourceOperations, row, snapshot, action);
    const response = await resourceOperations.operate({ verb, row, isCurrent: isMounted, ...operation });
    busy.value = false;
    return response !== null;
  }
  return { index, snapshot, busy, perform };
}
