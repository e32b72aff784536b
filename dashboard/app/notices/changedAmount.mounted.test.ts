/** If a resource has changed since it was displayed, the confirmation repeats the amount that will be sent. */
import { within } from '@testing-library/dom';
import { defineComponent, h } from 'vue';
import { expect, it, vi } from 'vitest';
import { componentTexts } from '../../components/texts.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { respondAsResourceManager, sampleResource } from '../../fixtures/resourceResponses.ts';
import { createResourceIndex } from '../../managers/resource/resourceIndex.ts';
import { toResourceRow } from '../../managers/resource/resourceRow.ts';
import { resourceOperation, type ResourceAction } from '../../panels/resources/operations/resourceActions.ts';
import {
  useResourceOperations,
  type ResourceOperations,
} from '../../panels/resources/operations/useResourceOperations.ts';
import CommandConfirmation from './CommandConfirmation.vue';

it.each<readonly [ResourceAction, string]>([
  [{ kind: 'setQuantity', value: 77 }, 'Will be sent: Set to 77 µl.'],
  [{ kind: 'increase', value: 5 }, 'Will be sent: Add 5 µl.'],
  [{ kind: 'decrease', value: 5 }, 'Will be sent: Subtract 5 µl.'],
  [{ kind: 'setCapacity', value: 90 }, 'Will be sent: Set to 90 µl.'],
  [{ kind: 'setCapacity', value: null }, 'Will be sent: No capacity.'],
])('the confirmation shows what %j would send to a resource that has changed', async (action, expected) => {
  const now = sampleResource('W', {
    base_type: 'continuous_consumable',
    quantity: 60,
    capacity: 100,
    attributes: { unit: 'µl' },
  });
  respondAsResourceManager({ respondToOther: ({ method }) => (method === 'GET' ? now : undefined) });
  let operations: ResourceOperations | null = null;
  const row = toResourceRow({ ...now, quantity: 70 });
  const { page } = mountComponent(
    defineComponent(() => {
      operations = useResourceOperations();
      return () => h(CommandConfirmation);
    }),
  );
  await vi.waitFor(() => expect(operations?.client()).toHaveProperty('setQuantity'));
  const { operate, ...clients } = operations as unknown as ResourceOperations;
  const result = operate({ verb: 'Set', row, ...resourceOperation(clients, row, createResourceIndex([row]), action) });
  const confirmation = await vi.waitFor(() => within(page.getByRole('alertdialog')));
  expect(confirmation.getAllByText('Quantity: 70 µl was shown; now 60 µl.')).toHaveLength(1);
  expect(confirmation.getAllByText(expected)).toHaveLength(1);
  await click(confirmation.getByRole('button', { name: componentTexts.confirm.back }));
  expect(await result).toBeNull();
});
