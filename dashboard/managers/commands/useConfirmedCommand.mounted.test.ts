/** Tests confirmations while another command is pending. `everyDialog.mounted.test.ts` covers each dialog by itself. */
import { expect, it } from 'vitest';
import { runInComponent } from '../../fixtures/mounted.ts';
import { useConfirmedCommand, type DialogRequest } from './useConfirmedCommand.ts';

interface Subject {
  readonly name: string;
}
const impacts = [{ target: 'arm', severity: 2 }];
const finding = { kind: 'changed', differences: ['It is working.'], impacts } as const;
const mountCommand = () => runInComponent(() => useConfirmedCommand<Subject>());

it('the response to an earlier command does not end the check of the next dialog’s confirmation', async () => {
  const { result } = mountCommand();
  let respondToFirst = (): void => undefined;
  result.open({ name: 'first' });
  const first = result.confirm((_confirmed, { onSend }) => {
    onSend();
    return new Promise<void>((resolve) => (respondToFirst = resolve));
  });
  expect(result.pending.value).toBeNull();
  expect(result.busy.value).toBe(false);
  result.open({ name: 'second' });
  void result.confirm(() => new Promise(() => undefined));
  respondToFirst();
  await first;
  expect(result.busy.value).toBe(true);
  expect(result.pending.value?.name).toBe('second');
  let isSentAgain = false;
  await result.confirm(async () => (isSentAgain = true));
  expect(isSentAgain).toBe(false);
});

it('a command without a dialog is sent and leaves a dialog that opens meanwhile unchanged', async () => {
  const { result } = mountCommand();
  let request: DialogRequest | undefined;
  await result.send({ name: 'first' }, [], async (input) => (request = input));
  result.open({ name: 'second' });
  expect(request?.isCurrent()).toBe(true);
  expect(await request?.reconfirm(finding, async () => true)).toBe(true);
  request?.onSend();
  expect(result.pending.value).toMatchObject({ name: 'second', note: '' });
});

it('a new confirmation uses the common dialog when the component of the first dialog is unmounted', async () => {
  const { result, unmount } = mountCommand();
  let request: DialogRequest | undefined;
  result.open({ name: 'first' });
  void result.confirm((_confirmed, input) => {
    request = input;
    return new Promise(() => undefined);
  });
  unmount();
  expect(await request?.reconfirm(finding, async () => true)).toBe(true);
});
