import { describe, expect, it } from 'vitest';
import { labEndpoints } from '../../api/lab/labDocs.ts';
import { labHealth, labHistory } from '../../api/lab/lab.ts';
import { labHealthText, labHistoryText } from './labHealth.ts';

const example = (path: string) => labEndpoints.find((endpoint) => endpoint.path === path)?.example;
const deep: unknown = JSON.parse('['.repeat(30_000) + ']'.repeat(30_000));
const circle: unknown[] = [];
circle.push(circle);

describe('an entry that cannot be written as JSON', () => {
  it.each([
    ['too deep', deep],
    ['a circle', circle],
    ['a number without a word', 1n],
  ])('%s: takes nothing away from the others', (_name, value) => {
    const health = labHealth.parse(example('/lab_health'));
    const text = labHealthText({
      ...health,
      managers: { ...health.managers, data_manager: { healthy: true, description: 'x', value } },
    });
    expect(JSON.parse(text)).toEqual({
      ...health,
      managers: {
        ...health.managers,
        data_manager: { healthy: false, description: 'its answer cannot be written as JSON' },
      },
    });

    const history = labHistory.parse(example('/lab_health/history'));
    const [manager] = history.managers;
    if (!manager) throw new Error('The example has no manager');
    const broken = { ...manager, health: { healthy: true, description: 'x', value } };
    expect(JSON.parse(labHistoryText({ ...history, managers: [broken, manager] }))).toEqual({
      ...history,
      managers: [
        { ...manager, health: { healthy: false, description: 'its answer cannot be written as JSON' } },
        manager,
      ],
    });
  });

  it('is told from what can: those bodies are written as they always were', () => {
    const health = labHealth.parse(example('/lab_health'));
    expect(labHealthText(health)).toBe(JSON.stringify(health));
    const history = labHistory.parse(example('/lab_health/history'));
    expect(labHistoryText(history)).toBe(JSON.stringify(history));
  });
});
