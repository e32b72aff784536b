import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountsReply, AccountsRequest } from '#server/access/accountMessages.ts';
import { roleTexts } from '#api/lab/access.ts';
import { commonTexts } from '#dashboard/base/texts.ts';
import { click, fill, mountComponent } from '#dashboard/fixtures/mounted.ts';
import { pageCommand, type PageCommand } from '../../ipc/commands.ts';
import Accounts from './Accounts.vue';
import { accountFormTexts as form, accountsTexts as texts } from './texts.ts';

type View = Extract<AccountsReply, { ok: true }>['view'];

const created = '2026-01-15T12:00:00.000Z';
const ann = { name: 'ann', role: 'operator', created } as const;
const robot = { name: 'robot', role: 'viewer', created } as const;

let view: View;
/** The reply to each change; `null` accepts it. */
let reply: AccountsReply | { readonly error: string } | null;
let listError: string | null;
let changes: AccountsRequest[];
let copied: string[];

/** Responds as the shell does. */
function respond(command: PageCommand) {
  if (command.command === 'copy') copied.push(command.text);
  if (command.command !== 'accounts') return { ok: true, value: null };
  const { request } = command;
  if (request.kind !== 'list') changes.push(request);
  const result = request.kind === 'list' ? null : reply;
  const error = request.kind === 'list' ? listError : result !== null && 'error' in result ? result.error : null;
  if (error !== null) return { ok: false, error };
  return { ok: true, value: result ?? { ok: true, view, token: null } };
}

beforeEach(() => {
  view = { remoteAccess: 'operate', file: '/state/users-8000.json', users: [ann], tokens: [robot] };
  [reply, listError, changes, copied] = [null, null, [], []];
  Object.assign(window, { labManagerShell: { request: async (command: PageCommand) => respond(command) } });
});
afterEach(() => void Reflect.deleteProperty(window, 'labManagerShell'));

async function open(handlers: { readonly onOpenRemoteAccessSetting?: () => void } = {}) {
  const { page } = mountComponent(Accounts, { revision: 1, ...handlers });
  await vi.waitFor(() => {
    expect(page.queryByRole('button', { name: texts.addUser }) ?? page.queryByRole('alert')).toBeInstanceOf(
      HTMLElement,
    );
  });
  return page;
}
type Page = Awaited<ReturnType<typeof open>>;

const press = (page: Page, name: string) => click(page.getByRole('button', { name }));
const fieldProblem = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent?.trim();

async function openAddUser(page: Page, name: string, password: string, repeatedPassword = password): Promise<void> {
  await press(page, texts.addUser);
  await fill(await page.findByLabelText(form.name), name);
  await fill(page.getByLabelText(form.password), password);
  await fill(page.getByLabelText(form.again), repeatedPassword);
}

describe('users and API tokens in the Settings window', () => {
  it('truncates texts to the length that the service accepts, so that the service can report the error', async () => {
    const page = await open();
    await openAddUser(page, 'x'.repeat(300), 'y'.repeat(2000));
    await press(page, form.actions['add-user']);
    await vi.waitFor(() => expect(changes).toHaveLength(1));
    expect(pageCommand.safeParse({ command: 'accounts', request: changes[0] }).success).toBe(true);
  });

  it('keeps the heading focused while the accounts are read', async () => {
    const { page } = mountComponent(Accounts, { revision: 1 });
    const heading = page.getByRole('heading', { name: texts.users });
    expect(page.queryByRole('button', { name: texts.addUser })).toBeNull();
    heading.focus();
    await page.findByRole('button', { name: texts.addUser });
    expect(document.activeElement).toBe(heading);
  });

  it('lists each user and token with its role', async () => {
    const page = await open();
    expect(page.getByRole('region', { name: texts.users }).textContent).toMatch(/ann\s*Operator, since 15 Jan/);
    expect(page.getByRole('region', { name: texts.tokens }).textContent).toMatch(/robot\s*Viewer, since 15 Jan/);
    expect(page.getByText('/state/users-8000.json').tagName).toBe('CODE');
  });

  it.each([
    ['off', 'Remote access is off: users and tokens have no effect until it is set to view or operate.'],
    ['view', 'Remote access is set to view: nobody can send commands, whatever the role.'],
  ] as const)('shows a note that remote access is set to %s, and still accepts users', async (remoteAccess, note) => {
    view = { ...view, remoteAccess, users: [] };
    const openSetting = vi.fn();
    const page = await open({ onOpenRemoteAccessSetting: openSetting });
    expect(page.getByRole('region', { name: texts.users }).textContent).toContain(note);
    page.getByText('There is no user yet.');
    await press(page, 'Show the setting');
    expect(openSetting).toHaveBeenCalledOnce();
    await openAddUser(page, 'bob', 'a long password');
    await press(page, form.actions['add-user']);
    expect(changes).toHaveLength(1);
  });

  it('shows why the users file can’t be read, until it is readable again', async () => {
    listError = '/state/users-8000.json can’t be read: other accounts may write to it';
    const { page } = mountComponent(Accounts, { revision: 1 });
    expect((await page.findByRole('alert')).textContent).toContain(
      `Users and API tokens can’t be shown: ${listError}.`,
    );
    expect(page.queryByRole('button', { name: texts.addUser })).toBeNull();
    listError = null;
    await press(page, commonTexts.tryAgain);
    await page.findByRole('button', { name: texts.addUser });
    expect(page.queryByRole('alert')).toBeNull();
  });
});

describe('adding a user', () => {
  it('sends name, role and password, and shows the new list', async () => {
    const page = await open();
    await openAddUser(page, ' bob ', 'a long password');
    await vi.waitFor(() => expect(page.getByLabelText<HTMLInputElement>(form.password).type).toBe('password'));
    const role = page.getByLabelText<HTMLSelectElement>('Role');
    expect(role.selectedOptions[0]?.textContent).toBe(roleTexts.viewer);
    role.selectedIndex = 1;
    role.dispatchEvent(new Event('change'));
    view = { ...view, users: [ann, { ...ann, name: 'bob' }] };
    await press(page, form.actions['add-user']);
    await vi.waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
    expect(changes).toEqual([{ kind: 'add-user', name: 'bob', role: 'operator', password: 'a long password' }]);
    page.getByRole('button', { name: texts.removeLabel('bob') });
  });

  it('sends nothing without a name, or with two different passwords, and focuses the invalid field', async () => {
    const page = await open();
    await openAddUser(page, ' ', 'a long password', 'another password');
    await press(page, form.actions['add-user']);
    const name = page.getByLabelText(form.name);
    await vi.waitFor(() => expect(document.activeElement).toBe(name));
    expect(fieldProblem(name)).toBe('Enter a name.');
    await fill(name, 'bob');
    await press(page, form.actions['add-user']);
    const repeatedPasswordField = page.getByLabelText(form.again);
    await vi.waitFor(() => expect(document.activeElement).toBe(repeatedPasswordField));
    expect(repeatedPasswordField.getAttribute('aria-invalid')).toBe('true');
    expect(fieldProblem(repeatedPasswordField)).toBe('The two passwords are different.');
    expect(name.getAttribute('aria-invalid')).toBe('false');
    expect(changes).toEqual([]);
  });

  it.each([
    ['name', form.name, 'There is a user “bob” already'],
    ['password', form.password, 'The password has 5 characters; use at least 10'],
  ] as const)('shows a refusal of the service next to the %s', async (field, label, problem) => {
    reply = { ok: false, problem, field };
    const page = await open();
    await openAddUser(page, 'bob', 'short');
    await press(page, form.actions['add-user']);
    await vi.waitFor(() => expect(document.activeElement).toBe(page.getByLabelText(label)));
    expect(fieldProblem(page.getByLabelText(label))).toBe(`${problem}.`);
    expect(page.getAllByRole('alert')).toHaveLength(1);
  });

  it('shows above the buttons the reason why the file can’t be written', async () => {
    reply = { error: '/state is read-only' };
    const page = await open();
    await openAddUser(page, 'bob', 'a long password');
    await press(page, form.actions['add-user']);
    expect((await page.findByRole('alert')).textContent).toBe('/state is read-only.');
    expect(page.getByLabelText<HTMLInputElement>(form.name).value).toBe('bob');
  });
});

describe('changing a user', () => {
  it('changes the role from the current one', async () => {
    const page = await open();
    await press(page, texts.roleLabel('ann'));
    const role = await page.findByLabelText<HTMLSelectElement>('Role');
    expect(role.selectedOptions[0]?.textContent).toBe(roleTexts.operator);
    expect(page.queryByLabelText(form.name)).toBeNull();
    role.selectedIndex = 2;
    role.dispatchEvent(new Event('change'));
    await press(page, form.actions['set-role']);
    expect(changes).toEqual([{ kind: 'set-role', name: 'ann', role: 'administrator' }]);
  });

  it('sets a new password, and states that it signs the user out', async () => {
    const page = await open();
    await press(page, texts.passwordLabel('ann'));
    await fill(await page.findByLabelText('New password'), 'another password');
    await fill(page.getByLabelText(form.again), 'another password');
    expect(page.getByRole('dialog').textContent).toContain(form.effects['set-password']);
    await press(page, form.actions['set-password']);
    expect(changes).toEqual([{ kind: 'set-password', name: 'ann', password: 'another password' }]);
  });

  it.each([
    ['a user', texts.removeLabel('ann'), 'remove-user', 'ann'],
    ['an API token', texts.revokeLabel('robot'), 'revoke-token', 'robot'],
  ] as const)('removes %s only after a confirmation', async (_what, label, kind, name) => {
    const page = await open();
    await press(page, label);
    await page.findByRole('alertdialog', { name: form.titles[kind](name) });
    await press(page, commonTexts.cancel);
    await vi.waitFor(() => expect(page.queryByRole('alertdialog')).toBeNull());
    expect(changes).toEqual([]);
    await press(page, label);
    await page.findByRole('alertdialog');
    await press(page, form.actions[kind]);
    expect(changes).toEqual([{ kind, name }]);
  });
});

describe('creating an API token', () => {
  it('shows the token once, with a button that copies it', async () => {
    const token = `lmt_${'a'.repeat(43)}`;
    reply = { ok: true, view, token };
    const page = await open();
    await press(page, 'Create token…');
    await fill(await page.findByLabelText(form.name), 'script');
    await press(page, form.actions['create-token']);
    expect(changes).toEqual([{ kind: 'create-token', name: 'script', role: 'viewer' }]);
    const dialog = await page.findByRole('dialog', { name: 'API token script' });
    expect(dialog.textContent).toContain(token);
    await press(page, 'Copy');
    expect(copied).toEqual([token]);
    await press(page, 'Done');
    await vi.waitFor(() => expect(page.queryByRole('dialog')).toBeNull());
    expect(document.body.textContent).not.toContain(token);
  });
});
