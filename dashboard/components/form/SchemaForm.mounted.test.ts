import { nextTick } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { click, fill, mountComponent } from '../../fixtures/mounted.ts';
import { sampleArgument } from '../../fixtures/sampleLabKnowledge.ts';
import { fireEvent } from '@testing-library/dom';
import type { FormOutcome } from './entry.ts';
import { fieldsOfAction } from './field.ts';
import { noSuggestions } from './suggestion.ts';
import SchemaForm from './SchemaForm.vue';
import { schemaFormTexts as texts } from './texts.ts';

const fields = fieldsOfAction({
  args: {
    whole: sampleArgument('whole', 'int'),
    speed: sampleArgument('speed', 'float', { required: false, default: 50 }),
    unit: sampleArgument('unit', 'str', { required: false }),
  },
  locations: { target: sampleArgument('target', 'LocationArgument') },
  files: { document: sampleArgument('document', 'Path') },
});
const onlyWhole = fields.filter(({ name }) => name === 'whole');

/** The form with its last emitted outcome and its two exposed methods. */
async function mountForm(props: Record<string, unknown> = {}) {
  let outcome: FormOutcome | null = null;
  let commands: { check(): Promise<boolean>; reset(): void } | null = null;
  const mounted = mountComponent(SchemaForm, {
    fields,
    onOutcome: (now: FormOutcome) => (outcome = now),
    ref: (instance: unknown) => (commands = instance as typeof commands),
    ...props,
  });
  await nextTick();
  return {
    ...mounted,
    field: (name: string) => mounted.page.getByLabelText<HTMLInputElement>(name, { exact: true, selector: 'input' }),
    outcome: () => outcome!,
    check: async () => {
      const isValid = await commands!.check();
      await nextTick();
      return isValid;
    },
    reset: async () => {
      commands!.reset();
      await nextTick();
    },
  };
}

describe('a form from typed arguments', () => {
  it('marks a field as changed only while it differs from its default', async () => {
    const { field, page } = await mountForm();
    await fill(field('speed'), '51');
    expect(page.getAllByText('changed')).toHaveLength(1);
    await fill(field('speed'), '50');
    expect(page.queryByText('changed')).toBeNull();
    expect(page.getAllByText('default')).toHaveLength(1);
  });

  it('groups its fields by kind and shows a text when it has no fields', async () => {
    const { page, setProps } = await mountForm();
    for (const section of ['args', 'locations', 'files'] as const)
      expect(page.getAllByRole('group', { name: texts.sections[section] })).toHaveLength(1);
    await setProps({ fields: [] });
    expect(page.getAllByText('Nothing to fill in.')).toHaveLength(1);
  });

  it('emits only filled fields and omits untouched defaults', async () => {
    const { field, outcome } = await mountForm({ fields: fields.filter(({ section }) => section === 'args') });
    expect(outcome().valid).toBe(false);
    await fill(field('whole'), '7');
    expect(outcome()).toMatchObject({ valid: true, value: { args: { whole: 7 } } });
    await fill(field('speed'), '80');
    expect(outcome().value.args).toEqual({ whole: 7, speed: 80 });
  });

  it('shows a problem next to a field only after the field loses the focus', async () => {
    const { page, field, outcome } = await mountForm({ fields: onlyWhole });
    const errorElement = () => page.queryByText(/is not a whole number/);
    expect(outcome().problems).toHaveLength(1);
    field('whole').focus();
    fireEvent.input(field('whole'), { target: { value: '7.5' } });
    await nextTick();
    expect(errorElement()).toBeNull();
    field('whole').blur();
    await nextTick();
    expect(errorElement()?.textContent).toBe('7.5 is not a whole number.');
    expect(outcome().valid).toBe(false);
    expect(page.getAllByRole('textbox', { name: 'whole', description: /7\.5 is not a whole number/ })).toHaveLength(1);
  });

  it('shows every problem when it is validated and focuses the first', async () => {
    const { page, field, check } = await mountForm();
    expect(await check()).toBe(false);
    expect(document.activeElement).toBe(field('whole'));
    const { missing, missingFile, missingLocation } = texts.problems;
    const foundProblems = [missing, missingFile, missingLocation].flatMap((expected) => page.queryAllByText(expected));
    expect(foundProblems).toHaveLength(3);
  });

  it('does not move the focus when it is valid', async () => {
    const { field, check } = await mountForm({ fields: onlyWhole });
    await fill(field('whole'), '7');
    expect(await check()).toBe(true);
    expect(document.activeElement).toBe(document.body);
  });

  it('is empty and without problems after a reset', async () => {
    const { page, field, check, reset, outcome } = await mountForm({ fields: onlyWhole });
    await fill(field('whole'), 'x');
    await check();
    await reset();
    expect(field('whole').value).toBe('');
    expect(page.queryByText(/is not a whole number/)).toBeNull();
    expect(page.queryByText(texts.problems.missing)).toBeNull();
    expect(outcome().value.args).toEqual({});
  });

  it('keeps typed values when the same fields are declared again and drops removed ones', async () => {
    const { field, setProps, outcome, page } = await mountForm({
      fields: fields.filter(({ section }) => section === 'args'),
    });
    await fill(field('whole'), '7');
    await fill(field('unit'), 'bytes');
    await setProps({ fields: onlyWhole.map((copied) => ({ ...copied })) });
    expect(field('whole').value).toBe('7');
    expect(page.queryByLabelText('unit')).toBeNull();
    expect(outcome().value.args).toEqual({ whole: 7 });
  });

  it('suggests values by title or description and accepts other values', async () => {
    const resourceFields = fieldsOfAction({
      args: { resource_id: sampleArgument('resource_id', 'str') },
      locations: { target: sampleArgument('target', 'LocationArgument') },
      files: {},
    });
    const id = '01M7YEZGAZMTTE3RWYNVGA29Z5';
    const suggestions = {
      ...noSuggestions,
      locations: [{ value: 'deck_1', subtitle: 'plate 7' }, { value: 'deck_2' }],
      resources: [{ value: id, title: 'Tips', subtitle: 'hotel · 96' }],
    };
    const { page, field, outcome } = await mountForm({ fields: resourceFields, suggestions });
    const suggestedTexts = () => page.queryAllByRole('option').map((option) => option.textContent);
    await fill(field('target'), 'plate');
    await vi.waitFor(() => expect(suggestedTexts()).toEqual(['deck_1plate 7']));
    await fill(field('target'), 'nowhere');
    await vi.waitFor(() => expect(suggestedTexts()).toEqual([]));
    await fill(field('resource_id'), id);
    expect(page.getAllByText('Tips · hotel · 96')).toHaveLength(1);
    expect(outcome().value).toMatchObject({ args: { resource_id: id }, locations: { target: 'nowhere' } });
  });

  it('starts with its initial values', async () => {
    const { field, outcome } = await mountForm({ fields: onlyWhole, initial: { args: { whole: 3 } } });
    expect(field('whole').value).toBe('3');
    expect(outcome().value.args).toEqual({ whole: 3 });
  });

  it('accepts a file, shows its name and removes it', async () => {
    const { page, field, outcome } = await mountForm({ fields: fields.filter(({ section }) => section === 'files') });
    const file = new File(['0123456789'], 'layout.csv', { type: 'text/csv' });
    const input = field('document');
    vi.spyOn(input, 'files', 'get').mockReturnValue([file] as unknown as FileList);
    fireEvent.change(input);
    await vi.waitFor(() => expect(outcome().valid).toBe(true));
    expect(page.getAllByText('layout.csv')).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.remove('layout.csv') }));
    expect(outcome().valid).toBe(false);
  });
});
