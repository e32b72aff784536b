/** Tests the client, the command and the list together: a manager's response and the displayed outcome. */
import { defineComponent, h } from 'vue';
import { describe, expect, it, vi } from 'vitest';
import { createClient } from '#api/client/client.ts';
import { workcellApi } from '#api/managers/workcell.ts';
import { click, mountComponent } from '../../fixtures/mounted.ts';
import { outcomeTexts } from '../../managers/commands/texts.ts';
import { noPremise } from '../../managers/commands/premise.ts';
import { useCommand } from '../../managers/commands/useCommand.ts';
import OutcomeList from './OutcomeList.vue';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** Mounts the list and pauses a workflow, with the given response; `done` settles when the response arrives. */
function mountPause(respond: () => Promise<Response>) {
  const { pauseWorkflow } = createClient(workcellApi, { baseUrl: 'http://lab:8005/', fetch: respond, maxRetryMs: 0 });
  let request: Promise<unknown> = Promise.resolve();
  const { page } = mountComponent(
    defineComponent({
      setup() {
        const runCommand = useCommand();
        request = runCommand({
          commandText: 'Pause “Growth assay”',
          verb: 'Pause',
          target: { kind: 'workflow', id: '01JAR5ZV1XJ6W3C1V5T0F2N8QY', name: 'Growth assay' },
          manager: 'workcell',
          premise: noPremise,
          run: () => pauseWorkflow({ workflow_id: '01JAR5ZV1XJ6W3C1V5T0F2N8QY' }),
          interpretResponse: () => 'Done.',
          describeState: () => '“Running step 1 of 1”',
        });
        return () => h(OutcomeList);
      },
    }),
  );
  return { page, done: request, list: () => page.getByRole('complementary', { name: outcomeTexts.region }) };
}

describe('the outcome of an action', () => {
  it.each([
    [404, { detail: 'Workflow not found' }, 'answered 404: Workflow not found'],
    [409, { detail: 'The workflow has already ended' }, 'answered 409: The workflow has already ended'],
    [422, { detail: [{ loc: ['path', 'workflow_id'], msg: 'Invalid ID' }] }, 'path.workflow_id: Invalid ID'],
    [429, { detail: 'Rate limit exceeded' }, 'answered 429: Rate limit exceeded'],
    [500, { detail: 'Error: no arm' }, 'answered 500: Error: no arm'],
  ])('shows the manager’s own message for status %i', async (status, body, expected) => {
    const { done, list } = mountPause(async () => json(status, body));
    await done;
    await vi.waitFor(() => expect(list().textContent).toContain(expected));
    expect(list().textContent).toContain('Pause “Growth assay”');
    expect(list().textContent).toContain('Failed');
  });

  it('shows that the manager is unreachable', async () => {
    const { done, list } = mountPause(async () => Promise.reject(new TypeError('Failed to fetch')));
    await done;
    await vi.waitFor(() => expect(list().textContent).toContain('cannot be reached: no connection'));
  });

  it('is shown as pending and can be closed after the response', async () => {
    let respond = (_response: Response): void => undefined;
    const { page, done, list } = mountPause(() => new Promise((resolve) => (respond = resolve)));
    await vi.waitFor(() => expect(list().textContent).toContain(outcomeTexts.sending));
    respond(json(404, { detail: 'Workflow not found' }));
    await done;
    await vi.waitFor(() => expect(list().textContent).not.toContain(outcomeTexts.sending));
    await click(page.getByRole('button', { name: 'Dismiss: Pause “Growth assay”' }));
    expect(page.queryByRole('complementary', { name: outcomeTexts.region })).toBeNull();
  });
});
