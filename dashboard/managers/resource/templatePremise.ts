/** What a command on a template of resources was decided on. */
import type { Client } from '../../../api/client/client.ts';
import type { resourceApi } from '../../../api/managers/resource.ts';
import type { ResourceTemplate } from '../../../api/managers/resourceTypes.ts';
import { sameJson } from '../../base/sameJson.ts';
import { changedBy, same, type Premise } from '../commands/premise.ts';
import { resourceTexts } from './texts.ts';

type Reader = Pick<Client<typeof resourceApi>, 'getTemplates'>;
const texts = resourceTexts.changed;

const find = (all: readonly ResourceTemplate[], name: string): ResourceTemplate | undefined =>
  all.find((one) => one.template_name === name);

/** The template is still there, and as it was shown. Its list is read: MADSci finds no name with capitals by itself. */
export function templatePremise(
  client: () => Reader,
  name: string,
  shown: ResourceTemplate | null,
): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    judge: (all) => {
      const now = find(all, name);
      if (now === undefined) return { is: 'refused', why: texts.noTemplate(name) };
      const fields = [...new Set([...Object.keys(shown ?? {}), ...Object.keys(now)])];
      // The stamps change with every write, the rest only with what somebody edits.
      const differing = fields.filter(
        (field) => field !== 'updated_at' && shown !== null && !sameJson(shown[field], now[field]),
      );
      return changedBy(differing.map((field) => texts.templateField(field)));
    },
  };
}

/** A new template would silently replace one of the same name. */
export function newTemplatePremise(client: () => Reader, name: string): Premise<readonly ResourceTemplate[]> {
  return {
    read: (options) => client().getTemplates({}, options),
    judge: (all) => (find(all, name) === undefined ? same : { is: 'refused', why: texts.templateTaken(name) }),
  };
}
