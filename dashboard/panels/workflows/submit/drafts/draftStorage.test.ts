import { describe, expect, it } from 'vitest';
import {
  deleteDraft,
  deleteTemplate,
  toFileName,
  storeTemplate,
  readDraft,
  readTemplates,
  maxTemplateLength,
  writeDraft,
  type Store,
} from './draftStorage.ts';

function createStore(quota = Number.POSITIVE_INFINITY): Store {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => {
      if (value.length > quota) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
  };
}
const template = (name: string, text = 'name: x') => ({ name, text, savedAt: 5 });
const prefix = 'lab-manager.workflow-template.';

describe('stored templates', () => {
  it('have unique names, and a new one replaces another only if this is allowed', () => {
    const store = createStore();
    expect(storeTemplate(store, template(' b '), false)).toEqual({ result: 'stored' });
    expect(storeTemplate(store, template('a'), false)).toEqual({ result: 'stored' });
    expect(storeTemplate(store, template('a', 'name: y'), false)).toEqual({ result: 'exists' });
    expect(readTemplates(store).map(({ name, text }) => [name, text])).toEqual([
      ['a', 'name: x'],
      ['b', 'name: x'],
    ]);
    expect(storeTemplate(store, template('a', 'name: y'), true)).toEqual({ result: 'stored' });
    deleteTemplate(store, 'b');
    expect(readTemplates(store)).toEqual([{ name: 'a', text: 'name: y', savedAt: 5, isCorrupt: false }]);
  });

  it('are returned as text when they are damaged', () => {
    const store = createStore();
    store.setItem(`${prefix}odd`, '{"text": 3');
    store.setItem(`${prefix}list`, '[]');
    store.setItem('something.else', 'x');
    expect(readTemplates(store)).toEqual([
      { name: 'list', text: '[]', savedAt: 0, isCorrupt: true },
      { name: 'odd', text: '{"text": 3', savedAt: 0, isCorrupt: true },
    ]);
  });

  it.each([
    ['without a name', createStore(), template(' '), /name/],
    ['too large', createStore(), template('a', 'x'.repeat(maxTemplateLength + 1)), /larger/],
    ['without space', createStore(10), template('a'), /no space/],
    ['without a storage', null, template('a'), /stores nothing/],
  ])('are refused with a reason: %s', (_what, store, draft, reason) => {
    expect(storeTemplate(store, draft, false)).toEqual({ result: 'refused', reason: expect.stringMatching(reason) });
  });
});

describe('the stored draft', () => {
  it('is stored, restored and deleted', () => {
    const store = createStore();
    const draft = { text: 'name: x', entries: { a: 1 }, ownership: { experiment_id: 'E' }, savedAt: 7 };
    expect(readDraft(store)).toBeNull();
    expect(writeDraft(store, draft)).toBe(true);
    expect(readDraft(store)).toEqual(draft);
    deleteDraft(store);
    expect(readDraft(store)).toBeNull();
  });
  it('is returned as text when it is damaged, and is not written without space or storage', () => {
    const store = createStore();
    store.setItem('lab-manager.workflow-draft', 'name: half');
    expect(readDraft(store)).toMatchObject({ text: 'name: half' });
    expect(writeDraft(createStore(3), { text: 'x', entries: {}, ownership: null, savedAt: 0 })).toBe(false);
    expect(writeDraft(null, { text: 'x', entries: {}, ownership: null, savedAt: 0 })).toBe(false);
  });
});

it.each([
  ['Growth curve', 'Growth-curve.yaml'],
  ['../a/b', 'a-b.yaml'],
  ['Größe 2', 'Größe-2.yaml'],
  ['…', 'workflow.yaml'],
])('the file name of %j is %j', (name, file) => expect(toFileName(name)).toBe(file));
