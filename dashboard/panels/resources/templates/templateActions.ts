/** Commands on a resource template: premise, request, and the expected response; and the list of templates. */
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import {
  resultFromConfirmation,
  resultFromMessage,
  type CommandResult,
} from '#dashboard/managers/commands/commandResult.ts';
import { newTemplatePremise, templatePremise } from '#dashboard/managers/resource/resourcePremise.ts';
import type { ResourceCommands } from '../operations/useResourceOperations.ts';
import { resourcesTexts, templateTexts as texts } from '../texts.ts';
import { findUpdates, type createTemplateBody } from './templateForm.ts';
import { computed } from 'vue';
import { resourceApi } from '#api/managers/resource.ts';
import { useResources } from '#dashboard/managers/resource/useResources.ts';
import { useManagerQuery } from '#dashboard/managers/transport/poll/managerQuery.ts';

const { done } = resourcesTexts.operations;
type GetClient = () => ResourceCommands;

/** @param createBody returns the request body; reads the resource from the manager if the template is made from one */
export function createTemplateAction(
  reader: GetClient,
  name: string,
  createBody: (client: ResourceCommands) => Promise<ReturnType<typeof createTemplateBody>>,
) {
  return {
    premise: newTemplatePremise(reader, name),
    run: async (client: ResourceCommands) => client.createTemplate({ body: await createBody(client) }),
    interpretResponse: (storedTemplate: ResourceTemplate): CommandResult =>
      resultFromConfirmation(storedTemplate.template_name === name, done, texts.unexpectedResponse([])),
  };
}

export function updateTemplateAction(
  reader: GetClient,
  initialTemplate: ResourceTemplate,
  values: Readonly<Record<string, unknown>>,
  premise = templatePremise(reader, initialTemplate.template_name ?? '', initialTemplate),
) {
  const name = initialTemplate.template_name ?? '';
  const updates = findUpdates(initialTemplate, values);
  return {
    premise,
    run: (client: ResourceCommands) => client.updateTemplate({ template_name: name, body: { updates } }),
    interpretResponse: (storedTemplate: ResourceTemplate): CommandResult => {
      const unapplied = Object.keys(findUpdates(storedTemplate, values)).filter((field) =>
        Object.hasOwn(updates, field),
      );
      return resultFromConfirmation(
        storedTemplate.template_name === name && unapplied.length === 0,
        done,
        texts.unexpectedResponse(unapplied),
      );
    },
  };
}

export function deleteTemplateAction(reader: GetClient, name: string, initialTemplate: ResourceTemplate | null) {
  return {
    premise: templatePremise(reader, name, initialTemplate),
    run: (client: ResourceCommands) => client.deleteTemplate({ template_name: name }),
    interpretResponse: (response: { readonly message: string }) => resultFromMessage('resource manager', response),
  };
}

/** The resource templates of the lab, and the number of resources created from each. */
export function useTemplates() {
  const live = useManagerQuery(resourceApi, 'getTemplates', { schedule: 'resourceTemplates' });
  const { index } = useResources();
  const all = computed(() => live.data.value ?? []);
  return {
    live,
    all,
    names: computed(() => all.value.map(({ template_name: name }) => name ?? '')),
    /** Number of resources in the lab by template. */
    usageCounts: computed((): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>();
      for (const { template } of index.value.all)
        if (template !== '') counts.set(template, (counts.get(template) ?? 0) + 1);
      return counts;
    }),
  };
}
