/** The columns of the lists of templates. Pure. */
import type { LocationTemplate, RepresentationTemplate } from '../../../../api/managers/locationTemplate.ts';
import type { Column } from '../../../components/table/rows/tableRows.ts';
import type { Template, TemplateKind } from './kinds.ts';
import { templatesTexts } from './texts.ts';

const texts = templatesTexts.columns;

/** @param users names of what uses a template */
export function templateColumns(
  kind: TemplateKind,
  users: (name: string) => readonly string[],
): readonly Column<Template>[] {
  const own: readonly Column<Template>[] =
    kind === 'location'
      ? [
          {
            key: 'roles',
            title: texts.roles,
            value: (one) =>
              Object.entries((one as LocationTemplate).representation_templates ?? {})
                .map(([role, template]) => templatesTexts.role(role, template))
                .join(', '),
            width: 16,
          },
          {
            key: 'resource',
            title: texts.resource,
            value: (one) => (one as LocationTemplate).resource_template_name ?? '',
            width: 10,
          },
        ]
      : [
          {
            key: 'required',
            title: texts.required,
            value: (one) => ((one as RepresentationTemplate).required_overrides ?? []).join(', '),
            width: 12,
          },
        ];
  return [
    { key: 'name', title: texts.name, value: ({ template_name: name }) => name, width: 13 },
    { key: 'version', title: texts.version, value: ({ version }) => version ?? '', width: 6 },
    ...own,
    { key: 'used', title: texts.used, value: ({ template_name: name }) => users(name).join(', '), width: 14 },
    { key: 'tags', title: texts.tags, value: ({ tags }) => (tags ?? []).join(', '), width: 8 },
    { key: 'description', title: texts.description, value: ({ description }) => description ?? '', width: 14 },
  ];
}
