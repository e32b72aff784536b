/** Reads the state of the app for the tray's model. */
import { clock } from '../../api/time/clock.ts';
import type { Notice } from '../ipc/contract.ts';
import type { PreferencesFile } from '../preferences/preferences.ts';
import type { SafetyStop } from '../safetyStop/safetyStop.ts';
import type { LabService } from '../service/labService.ts';
import { serviceAddresses } from '../service/publicAddresses.ts';
import { listOtherLabs } from './otherLabs.ts';
import { createTrayModel, type TrayModel } from './trayModel.ts';

/** The parts of the app that the tray shows. */
interface TrayApp {
  readonly service: Pick<LabService, 'state'>;
  readonly preferences: PreferencesFile;
  readonly safetyStop: Pick<SafetyStop, 'localStop' | 'stopsOfOtherLabs' | 'hasReport'>;
  /** The lab manager on another machine whose lab is shown. */
  readonly followedUrl: string | null;
  readonly notices: readonly Notice[];
  readonly knownNodes: readonly string[];
}

export function readTrayModel(app: TrayApp): TrayModel {
  const { service, preferences, safetyStop, followedUrl, notices, knownNodes } = app;
  const { status, lab, receivedAt, unresponsiveSince, lastCrash, otherLabs } = service.state;
  const { values } = preferences;
  return createTrayModel({
    service: status,
    lab,
    receivedAt,
    unresponsiveSince,
    nextRetryAt: lastCrash?.isCrashingRepeatedly ? lastCrash.nextRetryAt : null,
    now: clock.now(),
    publicUrls: serviceAddresses(status),
    notices,
    followedUrl,
    knownNodes: knownNodes.length,
    localStop: safetyStop.localStop,
    stopsOfOtherLabs: safetyStop.stopsOfOtherLabs,
    hasStopReport: safetyStop.hasReport,
    mutes: values,
    otherLabs: listOtherLabs(values.chosenLabs, followedUrl, unresponsiveSince === null ? otherLabs : []),
  });
}
