/** The app preferences in the Settings window: each change applies immediately, and errors are displayed. */
import { ref, shallowRef } from 'vue';
import { errorText } from '#api/errorText.ts';
import {
  preferencesView,
  type PreferenceChanges,
  type PreferencesView,
  type RememberedChoice,
} from '../../ipc/settingsContract.ts';
import type { PageCommand } from '../../ipc/commands.ts';
import { sendCommand } from '../host/requests.ts';

export function usePreferences() {
  const view = shallowRef<PreferencesView | null>(null);
  const failure = ref('');
  /** Sends one request after another, so that each response is newer than the previous one. */
  let queue: Promise<void> = Promise.resolve();

  function run(request: PageCommand | null): Promise<void> {
    queue = queue.then(async () => {
      if (request !== null) failure.value = '';
      if (request !== null) await sendCommand(request).catch(showFailure);
      await sendCommand({ command: 'preferences' })
        .then((reply) => (view.value = preferencesView.parse(reply)))
        .catch(showFailure);
    });
    return queue;
  }

  /** Shows an error; the displayed values stay unchanged. */
  function showFailure(error: unknown): void {
    failure.value = errorText(error);
  }

  return {
    view,
    failure,
    load: () => run(null),
    prefer: (changes: PreferenceChanges) => run({ command: 'prefer', changes }),
    forget: (choice: RememberedChoice) => run({ command: 'forget', choice }),
    chooseFolder: () => run({ command: 'choose-folder' }),
    useNoFolder: () => run({ command: 'use-no-folder' }),
  };
}
