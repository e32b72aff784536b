/** The filters as a screen reader says them. Pure. */
import { workflowLooks } from '../../../../api/states.ts';
import { filterKeys, type Filters } from '../layer/filters.ts';
import { timelineTexts } from '../texts.ts';

/** Each that is set, in words. */
export function filterWords(filters: Filters, experiment: (id: string) => string): readonly string[] {
  return filterKeys.flatMap((key) => {
    const { [key]: value, outcome } = filters;
    if (value === null) return [];
    if (key === 'outcome') return outcome === null ? [] : [timelineTexts.only(key, workflowLooks[outcome].word)];
    return [timelineTexts.only(key, key === 'experiment' ? experiment(value) : value)];
  });
}
