/** Data and notes that a user adds: the request, the record, and the state after a failure. */
import { fireEvent } from '@testing-library/dom';
import { describe, expect, it, vi } from 'vitest';
import { noteCommand, readRecordedCommand } from '#api/commandRecord.ts';
import { respondAsManagers, createUnreadableError, type ManagerRequest } from '../../fixtures/managerResponses.ts';
import { click, fill, mountComponent } from '../../fixtures/mounted.ts';
import { sampleEvent, sampleExperiment } from '../../fixtures/sampleRecords.ts';
import { sampleNode, sampleWorkflow } from '../../fixtures/sampleWorkflow.ts';
import { useOutcomes } from '../commands/outcomes.ts';
import { useAddress } from '../transport/clients.ts';
import AddDataDialog from './AddDataDialog.vue';
import AddNoteDialog from './AddNoteDialog.vue';
import { maxFileBytes } from './newDatapoint.ts';
import { experimentSubject, nodeSubjects, noteTarget, workflowSubject } from './recordSubject.ts';
import { recordsTexts } from './texts.ts';
import { defineComponent, h, type Component } from 'vue';

const texts = recordsTexts.data;
const subject = experimentSubject(sampleExperiment('E'));
const stored = ({ body }: ManagerRequest) => ({
  ...(JSON.parse((body as { datapoint: string }).datapoint) as object),
  data_timestamp: '2026-11-23T14:00:00',
});
const event = ({ method, body }: ManagerRequest): unknown =>
  method === 'POST' ? sampleEvent('N', body as object) : undefined;

/** The dialog with its manager's address known, next to the page's outcomes. */
async function openDialog(dialog: Component, manager: 'data' | 'event', props: Record<string, unknown>) {
  const onClose = vi.fn();
  let outcomes: ReturnType<typeof useOutcomes> | undefined;
  const holder = defineComponent(() => {
    outcomes = useOutcomes();
    const address = useAddress(manager);
    return () => (address.value === null ? null : h(dialog, { ...props, onClose }));
  });
  const { page } = mountComponent(holder);
  await vi.waitFor(() => expect(page.getAllByRole('dialog')).toHaveLength(1));
  return { page, onClose, outcomes: () => outcomes?.list ?? [] };
}
const submit = () => fireEvent.submit(document.querySelector('form') as HTMLFormElement);
const readRecordedCommands = (requests: readonly ManagerRequest[]) =>
  requests.flatMap(({ manager, method, body }) =>
    manager === 'event' && method === 'POST' ? [readRecordedCommand(body)] : [],
  );

async function typeValue(page: Awaited<ReturnType<typeof openDialog>>['page']): Promise<void> {
  await click(page.getByRole('button', { name: texts.kinds.value }));
  await fill(page.getByRole('textbox', { name: new RegExp(`^${texts.value}`) }), '7.2');
  await fill(page.getByLabelText(texts.name), 'pH');
}

describe('the dialog for data', () => {
  it('stores a typed number with its experiment, shows one outcome and records it', async () => {
    const requests = respondAsManagers({ data: stored, event });
    const { page, onClose, outcomes } = await openDialog(AddDataDialog, 'data', { subject });
    await typeValue(page);
    submit();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const sentRequests = requests.filter(({ manager, method }) => manager === 'data' && method === 'POST');
    expect(sentRequests).toHaveLength(1);
    expect(stored(sentRequests[0] as ManagerRequest)).toMatchObject({
      label: 'pH',
      data_type: 'json',
      value: 7.2,
      ownership_info: { experiment_id: 'E' },
    });
    expect(outcomes()).toMatchObject([{ state: 'done', text: texts.stored('Experiment Salt series · run E') }]);
    await vi.waitFor(() => expect(readRecordedCommands(requests)).toHaveLength(1));
    expect(readRecordedCommands(requests)[0]?.record).toMatchObject({
      command: 'add',
      target: { kind: 'datapoint', name: 'pH' },
      result: 'done',
    });
  });

  it('sends a file as the form part that the data manager expects', async () => {
    const requests = respondAsManagers({ data: stored, event });
    const { page, onClose } = await openDialog(AddDataDialog, 'data', { subject });
    const file = new File(['x'], 'plate.jpg', { type: 'image/jpeg' });
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
    fireEvent.change(page.getByLabelText(texts.choose.photo), { target: { files: [file] } });
    await vi.waitFor(() => expect(page.getByLabelText<HTMLInputElement>(texts.name).value).toBe('plate.jpg'));
    submit();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const { body } = requests.find(({ path, method }) => path === '/datapoint' && method === 'POST') as ManagerRequest;
    expect((body as { files: File }).files.name).toBe('plate.jpg');
    expect(JSON.parse((body as { datapoint: string }).datapoint)).toMatchObject({
      data_type: 'file',
      path: 'plate.jpg',
    });
  });

  it('suggests a unit in the name only for a number', async () => {
    respondAsManagers({ data: stored, event });
    const { page } = await openDialog(AddDataDialog, 'data', { subject });
    expect(page.getAllByText(texts.nameHint)).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.kinds.value }));
    expect(page.getAllByText(texts.numberNameHint)).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.valueKinds.text }));
    expect(page.getAllByText(texts.nameHint)).toHaveLength(1);
  });

  it('keeps the values when the data manager refuses them and shows the reason', async () => {
    respondAsManagers({ data: () => Response.json({ detail: 'No space left' }, { status: 507 }), event });
    const { page, onClose, outcomes } = await openDialog(AddDataDialog, 'data', { subject });
    await typeValue(page);
    submit();
    await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain('No space left'));
    expect(page.getByLabelText<HTMLInputElement>(texts.name).value).toBe('pH');
    expect(onClose).not.toHaveBeenCalled();
    expect(outcomes()).toMatchObject([{ state: 'failed' }]);
  });

  it('verifies that the data was stored when the response can’t be read', async () => {
    let body: object = {};
    respondAsManagers({
      data: (request) => {
        if (request.path === '/health') return new Response(null, { status: 200 });
        if (request.method !== 'POST') return body;
        body = stored(request);
        return createUnreadableError();
      },
      event,
    });
    const { page, onClose, outcomes } = await openDialog(AddDataDialog, 'data', { subject });
    await typeValue(page);
    submit();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(outcomes()).toMatchObject([{ state: 'done' }]);
  });

  it('states its size limit and does not send a larger file', async () => {
    const requests = respondAsManagers({ data: stored, event });
    const { page } = await openDialog(AddDataDialog, 'data', { subject });
    expect(page.getAllByText(texts.limit('100 MB'))).toHaveLength(1);
    await click(page.getByRole('button', { name: texts.kinds.file }));
    const file = new File(['x'], 'film.mp4');
    Object.defineProperty(file, 'size', { value: maxFileBytes * 2 });
    fireEvent.change(page.getByLabelText(texts.choose.file), { target: { files: [file] } });
    submit();
    await vi.waitFor(() =>
      expect(page.getAllByText(texts.problems.tooLarge('film.mp4', '200 MB', '100 MB'))).toHaveLength(1),
    );
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it.each([
    ['a phone', true, 'environment'],
    ['a wide screen', false, null],
  ])('sets the capture attribute of a photo on %s to $2', async (_where, matches, capture) => {
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches }));
    respondAsManagers({ data: stored, event });
    const { page } = await openDialog(AddDataDialog, 'data', { subject });
    const input = page.getByLabelText(matches ? texts.choose.camera : texts.choose.photo);
    expect(input.getAttribute('accept')).toBe('image/*');
    expect(input.getAttribute('capture')).toBe(capture);
  });
});

describe('the dialog for notes', () => {
  const workflow = sampleWorkflow({ ownership_info: { experiment_id: 'E' } });

  it('stores the text with its workflow as a record', async () => {
    const requests = respondAsManagers({ event });
    const props = { subject: workflowSubject(workflow) };
    const { page, onClose, outcomes } = await openDialog(AddNoteDialog, 'event', props);
    await fill(page.getByLabelText(recordsTexts.note.text), 'The lid was open.');
    submit();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    const posts = requests.filter(({ path, method }) => path === '/event' && method === 'POST');
    expect(posts).toHaveLength(1);
    expect(posts[0]?.body).toMatchObject({
      event_type: 'log_info',
      source: { workflow_id: workflow.workflow_id, experiment_id: 'E' },
      event_data: { message: 'The lid was open.', workflow_id: workflow.workflow_id },
    });
    expect(readRecordedCommands(requests)[0]?.record).toMatchObject({ command: noteCommand, result: 'done' });
    expect(outcomes()).toMatchObject([{ state: 'done' }]);
  });

  it('keeps the text and records the failure when the event manager refuses the note', async () => {
    let isFirst = true;
    const requests = respondAsManagers({
      event: (request) => {
        const refuses = isFirst && request.method === 'POST';
        if (refuses) isFirst = false;
        return refuses ? Response.json({ detail: 'no database' }, { status: 503 }) : event(request);
      },
    });
    const { page, onClose } = await openDialog(AddNoteDialog, 'event', {});
    await fill(page.getByLabelText(recordsTexts.note.text), 'The lid was open.');
    submit();
    await vi.waitFor(() => expect(page.getByRole('alert').textContent).toContain('no database'));
    expect(page.getByLabelText<HTMLTextAreaElement>(recordsTexts.note.text).value).toBe('The lid was open.');
    expect(onClose).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(readRecordedCommands(requests)).toHaveLength(2));
    expect(readRecordedCommands(requests)[1]?.record).toMatchObject({ command: noteCommand, result: 'failed' });
  });

  it('names a node by its name and ID', () => {
    const node = sampleNode();
    const info = { ...node.info, node_id: '01NODE' } as NonNullable<typeof node.info>;
    const [nodeSubject] = nodeSubjects({ arm: { ...node, info } });
    expect(nodeSubject).toMatchObject({ kind: 'node', name: 'arm', owner: { node_id: '01NODE' } });
    expect(noteTarget(nodeSubject ?? null, 'the lab')).toEqual({ kind: 'node', id: null, name: 'arm' });
    expect(noteTarget(null, 'the lab')).toEqual({ kind: 'lab', id: null, name: 'the lab' });
  });
});
