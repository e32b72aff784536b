import { waitFor } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { respondAsLocationManager, withLoadedLocations } from '#dashboard/fixtures/locationResponses.ts';
import { sampleLocation } from '#dashboard/fixtures/sampleLocation.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { useOutcomes } from '#dashboard/managers/commands/outcomes.ts';
import { findBodyProblem, findDependents, readRoles } from './templateKinds.ts';
import TemplateDialog from './TemplateDialog.vue';
import TemplatePanel from './TemplatePanel.vue';
import { templatesTexts as texts } from '../texts.ts';

const armDeck = { template_name: 'arm_deck', version: '1.0.0', default_values: { gripper: 'wide' } };
const slot = { template_name: 'deck_slot', version: '1.0.0', representation_templates: { arm: 'arm_deck' } };

describe('the dialog for a new location template', () => {
  it('sends the values once the name and the template of each role are valid', async () => {
    const manager = respondAsLocationManager({
      representationTemplates: [armDeck],
      respondToOther: ({ body }) => body,
    });
    const onClose = vi.fn();
    const { page } = mountComponent(withLoadedLocations(TemplateDialog), { kind: 'location', stored: null, onClose });
    const name = await waitFor(() => page.getByLabelText(texts.fields.template_name));
    await click(page.getByRole('button', { name: 'Add role' }));
    await fill(page.getByLabelText('Role 1'), 'arm');
    await click(page.getByRole('button', { name: texts.save }));
    expect(manager.requests).toEqual([]);
    await fill(name, 'deck_slot');
    await click(page.getByRole('button', { name: texts.save }));
    await waitFor(() =>
      expect(page.getAllByText('Each role needs a name and a representation template.')).toHaveLength(1),
    );
    await fill(page.getByLabelText('Representation template of role 1'), 'arm_deck');
    expect(page.queryByText(texts.unknownTemplates(['arm_deck']))).toBeNull();
    await click(page.getByRole('button', { name: texts.save }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(manager.requests).toMatchObject([
      {
        path: '/location_template',
        body: { template_name: 'deck_slot', representation_templates: { arm: 'arm_deck' } },
      },
    ]);
  });
});

it('a location template that names an unknown template warns before and after it is saved', async () => {
  const stored = { ...slot, representation_templates: { arm: 'arm_deck', camera: 'old_view' } };
  const manager = respondAsLocationManager({
    representationTemplates: [armDeck],
    locationTemplates: [stored],
    respondToOther: ({ body }) => body,
  });
  const { page } = mountComponent(withLoadedLocations(TemplateDialog), { kind: 'location', stored });
  const warning = texts.unknownTemplates(['old_view']);
  await waitFor(() => expect(page.getByRole('status').textContent).toBe(warning));
  await fill(page.getByLabelText(texts.fields.version), '2.0.0');
  await click(page.getByRole('button', { name: texts.save }));
  await waitFor(() => expect(manager.requests).toHaveLength(1));
  expect(manager.requests[0]?.body).toMatchObject({ ...stored, version: '2.0.0' });
  await waitFor(() => expect(useOutcomes().list).toMatchObject([{ state: 'done', text: `${texts.saved} ${warning}` }]));
});

describe('the dialog for another version of a template', () => {
  it('requires a different version number and replaces the stored template', async () => {
    const manager = respondAsLocationManager({
      representationTemplates: [armDeck],
      respondToOther: ({ body }) => body,
    });
    const onClose = vi.fn();
    const { page } = mountComponent(withLoadedLocations(TemplateDialog), {
      kind: 'representation',
      stored: armDeck,
      onClose,
    });
    const version = await waitFor(() => page.getByLabelText(texts.fields.version));
    expect(
      page.getAllByText(
        'Any other version replaces the stored template, a lower one too. With the same version the stored one stays as it is.',
      ),
    ).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.save }));
    await waitFor(() =>
      expect(
        page.getAllByText('Another version is needed: with the same one the stored template stays as it is.'),
      ).toHaveLength(1),
    );
    await fill(version, '0.9.0');
    await click(page.getByRole('button', { name: texts.save }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(manager.requests).toMatchObject([
      { path: '/representation_template/init', body: { ...armDeck, version: '0.9.0' } },
    ]);
  });
});

describe('the deletion of a template', () => {
  it('shows where the template is used and is sent after a confirmation', async () => {
    const manager = respondAsLocationManager({
      representationTemplates: [armDeck],
      respondToOther: () => ({ message: 'deleted' }),
    });
    const onClose = vi.fn();
    const frame = document.createElement('div');
    frame.className = 'frame';
    document.body.append(frame);
    const panelProps = {
      kind: 'representation',
      template: armDeck,
      dependents: ['deck_slot'],
      blocked: null,
      onClose,
    };
    const { page } = mountComponent(withLoadedLocations(TemplatePanel), panelProps);
    await click(await waitFor(() => page.getByRole('button', { name: texts.delete })));
    expect(page.getAllByText(texts.deleteRoles(['deck_slot']))).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.deleteAction }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(manager.requests).toMatchObject([{ method: 'DELETE', path: '/representation_template/arm_deck' }]);
  });
});

it.each([
  [['slot'], 'The location template slot names it: locations made from it get'],
  [['slot', 'nest'], 'The location templates slot, nest name it: locations made from them get'],
])('the warning about deleting a template agrees in number with the location templates %j', (names, expected) =>
  expect(texts.deleteRoles(names)).toContain(expected),
);

it('findDependents lists the locations and location templates that use a template', () => {
  const candidates = {
    locations: [sampleLocation('bench', { location_template_name: 'deck_slot' })],
    templates: [slot],
  };
  expect(findDependents('location', 'deck_slot', candidates)).toEqual(['bench']);
  expect(findDependents('representation', 'arm_deck', candidates)).toEqual(['deck_slot']);
  expect(findDependents('representation', 'other', candidates)).toEqual([]);
});

it.each([
  [{ version: '1' }, null, null],
  [{ version: '1.0.0' }, armDeck, 'Another version is needed: with the same one the stored template stays as it is.'],
])('findBodyProblem for %j and the stored template %j returns %s', (values, stored, problem) =>
  expect(findBodyProblem(values, stored)).toBe(problem),
);

it.each([
  [
    [
      { role: ' arm ', template: 'deck' },
      { role: '', template: '' },
    ],
    { roles: { arm: 'deck' } },
  ],
  [[{ role: 'arm', template: '' }], { problem: 'Each role needs a name and a representation template.' }],
  [
    [
      { role: 'arm', template: 'a' },
      { role: 'arm', template: 'b' },
    ],
    { problem: 'The role “arm” occurs twice.' },
  ],
])('readRoles of %j returns %j', (lines, expected) => expect(readRoles(lines)).toEqual(expected));
