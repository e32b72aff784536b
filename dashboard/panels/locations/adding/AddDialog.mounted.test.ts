import { fireEvent, waitFor } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import type { Location } from '#api/managers/location.ts';
import {
  respondAsLocationManager,
  withLoadedLocations,
  refreshQueries,
  type LocationResponses,
} from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import AddDialog from './AddDialog.vue';
import { addingTexts as texts } from '../texts.ts';

async function openDialog(input: Partial<LocationResponses> = {}) {
  const manager = respondAsLocationManager({
    locations: [sampleLocation('rack', { representations: { arm: 1 } })],
    ...input,
  });
  const onClose = vi.fn();
  const mounted = mountComponent(withLoadedLocations(AddDialog), { onClose });
  const name = await waitFor(() => mounted.page.getByLabelText(texts.name));
  const add = () => click(mounted.page.getByRole('button', { name: texts.add }));
  return { ...mounted, manager, name, add, onClose };
}
const echo: LocationResponses['respondToOther'] = ({ body }) => sampleLocation('x', body as Partial<Location>);

describe('the dialog for a new location', () => {
  it('validates the name while typing and sends nothing that the manager would reject', async () => {
    const { page, name, add, manager } = await openDialog();
    await fill(name, 'rack');
    expect(page.getAllByText('A location has this name already.')).toHaveLength(1);
    await fill(name, 'a b');
    expect(page.getAllByText('A name consists of letters, digits, “_”, “.” and “-”.')).toHaveLength(1);
    await fill(name, '');
    expect(page.getAllByText('Letters, digits, “_”, “.” and “-”. It can’t be changed later.')).toHaveLength(1);
    await add();
    expect(page.getAllByText('Enter a name.')).toHaveLength(1);
    expect(manager.requests).toEqual([]);
  });

  it('does not add an empty location for a resource that is not chosen', async () => {
    const { page, name, add, manager } = await openDialog({ respondToOther: echo });
    await fill(name, 'bench');
    await fireEvent.change(page.getByLabelText(texts.content), { target: { value: '1' } });
    await add();
    expect(page.getByRole('alert').textContent?.trim()).toBe('Choose the content of the location, or “Nothing”.');
    expect(manager.requests).toEqual([]);
  });

  it('adds the location and opens its page', async () => {
    const { page, name, add, manager, router, onClose } = await openDialog({ respondToOther: echo });
    await fill(name, 'bench');
    await fill(page.getByLabelText('Description'), 'By the door');
    await click(page.getByLabelText('Allow transfers'));
    await add();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(manager.requests).toMatchObject([
      { path: '/location', body: { location_name: 'bench', description: 'By the door', allow_transfers: false } },
    ]);
    await waitFor(() => expect(router.currentRoute.value.params['id']).toBe('id-of-x'));
  });

  it('does not open the page of the location when the dialog is closed before the response', async () => {
    let respond = (_response: Response): void => undefined;
    const { name, add, manager, router, unmount } = await openDialog({
      respondToOther: () => new Promise<Response>((resolve) => (respond = resolve)),
    });
    await fill(name, 'bench');
    await add();
    await waitFor(() => expect(manager.requests).toHaveLength(1));
    const outcomes = useOutcomes();
    unmount();
    const push = vi.spyOn(router, 'push');
    respond(Response.json(sampleLocation('bench')));
    await waitFor(() => expect(outcomes.list[0]?.text).toBe('The location manager added it.'));
    expect(push).not.toHaveBeenCalled();
  });

  it('stays open and shows the reason when the manager rejects the location', async () => {
    const { page, name, add, onClose } = await openDialog({
      respondToOther: () => Response.json({ detail: "Location with name 'bench' already exists" }, { status: 409 }),
    });
    await fill(name, 'bench');
    await add();
    await waitFor(() => expect(page.getByRole('alert').textContent).toContain('already exists'));
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('the dialog for a location from a template', () => {
  it('keeps the selected template when another one is inserted before it, and reports its removal', async () => {
    const { page, manager } = await openDialog({ locationTemplates: [{ template_name: 'deck_slot' }] });
    await click(page.getByRole('button', { name: texts.fromTemplate }));
    const list = await waitFor(() => page.getByLabelText<HTMLSelectElement>('Location template'));
    expect(list.selectedOptions[0]?.text).toBe('deck_slot');
    manager.locationTemplates = [{ template_name: 'bench_spot' }, { template_name: 'deck_slot' }];
    refreshQueries();
    await waitFor(() => expect(list.options).toHaveLength(2));
    expect(list.selectedOptions[0]?.text).toBe('deck_slot');
    manager.locationTemplates = [{ template_name: 'bench_spot' }];
    refreshQueries();
    await waitFor(() =>
      expect(page.getAllByText('The location template deck_slot is no longer there: select another one.')).toHaveLength(
        1,
      ),
    );
  });

  const templates: Partial<LocationResponses> = {
    locationTemplates: [{ template_name: 'deck_slot', representation_templates: { arm: 'arm_deck', deck: 'not_yet' } }],
    representationTemplates: [
      {
        template_name: 'arm_deck',
        default_values: { gripper: 'wide' },
        required_overrides: ['slot'],
        schema_def: { type: 'object', properties: { slot: { type: 'integer', minimum: 1 } } },
      },
    ],
    locations: [sampleLocation('rack', { representations: { arm: 1, mover: 2 } })],
  };

  it('requires a different node for each role, and valid representation fields', async () => {
    const { page, name, add, manager, onClose } = await openDialog({ ...templates, respondToOther: echo });
    await fill(name, 'bench');
    await click(page.getByRole('button', { name: texts.fromTemplate }));
    const armRoleSelect = await waitFor(() => page.getByLabelText<HTMLSelectElement>(texts.role('arm')));
    const deckRoleSelect = page.getByLabelText<HTMLSelectElement>(texts.role('deck'));
    expect(
      page.getAllByText(
        'The representation template not_yet does not exist yet; its values are filled in once it exists.',
      ),
    ).toHaveLength(1);
    await add();
    expect(page.getAllByText('Select a node for each role.')).toHaveLength(1);
    const choose = async (list: HTMLSelectElement, node: string) => {
      list.value = [...list.options].find(({ text }) => text === node)?.value ?? '';
      list.dispatchEvent(new Event('change', { bubbles: true }));
      await Promise.resolve();
    };
    await choose(armRoleSelect, 'arm');
    await choose(deckRoleSelect, 'arm');
    await waitFor(() =>
      expect(
        page.getAllByText('arm can take one role only: the second representation would replace the first.'),
      ).toHaveLength(1),
    );
    await choose(deckRoleSelect, 'mover');
    await fill(page.getByLabelText('slot'), '0');
    await add();
    expect(manager.requests).toEqual([]);
    await fill(page.getByLabelText('slot'), '3');
    await add();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(manager.requests).toMatchObject([
      {
        path: '/location/from_template',
        body: {
          location_name: 'bench',
          template_name: 'deck_slot',
          node_bindings: { arm: 'arm', deck: 'mover' },
          representation_overrides: { arm: { slot: 3 } },
        },
      },
    ]);
  });
});
