/** Reads the state of the app for the tray's model. */
import { clock } from '../api/time/clock.ts';
import type { Desktop } from './desktop.ts';
import { serviceAddresses } from './service/publicAddresses.ts';
import { listOtherLabs } from './tray/otherLabs.ts';
import { createTrayModel, type TrayModel } from './tray/trayModel.ts';

export function readTrayModel(desktop: Desktop): TrayModel {
  const { service, preferences, safetyStop, followedUrl, notices, knownNodes } = desktop;
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
