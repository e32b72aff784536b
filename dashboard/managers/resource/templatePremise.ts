/** Premises of commands on resource templates. */
import type { Client } from '#api/client/client.ts';
import type { resourceApi } from '#api/managers/resource.ts';
import type { ResourceTemplate } from '#api/managers/resourceTypes.ts';
import { sameJson } from '#api/sameJson.ts';
import { evaluateDifferences, samePremise, type Premise } from '../commands/premise.ts';
import { resourceTexts } from './texts.ts';

type Reader = Pick<Client<typeof resourceApi>, 'getTemplates'>;
const texts = resourceTexts.changed;

const findTemplate = (all: readonly ResourceTemplate[], name: string): ResourceTemplate | undefined =>
  all.find((template) => template.template_name === name);

/**
 * The premise that the template exists unchanged. The whole list is read, because MADSci can't find a name with capitals
 * directly.
 */
export function templatePremise(
  client: () => Reader,
  name: string,
  shownTemplate: ResourceTemplate | null,
): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    evaluate: (all) => {
      const stored = findTemplate(all, name);
      if (stored === undefined) return { kind: 'refused', reason: texts.noTemplate(name) };
      const fields = [...new Set([...Object.keys(shownTemplate ?? {}), ...Object.keys(stored)])];
      // The timestamps change with every write, the other fields only with an edit.
      const differing = fields.filter(
        (field) => field !== 'updated_at' && shownTemplate !== null && !sameJson(shownTemplate[field], stored[field]),
      );
      return evaluateDifferences(differing.map((field) => texts.templateField(field)));
    },
  };
}

/** A new template would silently replace one of the same name. */
export function newTemplatePremise(client: () => Reader, name: string): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    evaluate: (all) =>
      findTemplate(all, name) === undefined ? samePremise : { kind: 'refused', reason: texts.templateExists(name) },
  };
}
