/** The settings that another lab manager of this version serves. */
import { settingsAnswer, type SettingsAnswer } from '../../api/lab/settings.ts';
import { askJson } from '../net/askJson.ts';

const timeoutMs = 4000;

/** The answer of `/settings` at a base address; `null` where there is none, or it is another program's. Never rejects. */
export async function servedSettings(url: string, signal?: AbortSignal): Promise<SettingsAnswer | null> {
  const answer = await askJson(`${url}settings`, timeoutMs, signal);
  const parsed = answer.ok ? settingsAnswer.safeParse(answer.body) : null;
  return parsed?.success ? parsed.data : null;
}
