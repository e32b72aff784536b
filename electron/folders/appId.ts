/**
 * The app's system-wide ID. The installers register it; Windows assigns windows and notifications to the shortcut with
 * the same ID.
 */
export const appId = 'org.labmanager.LabManager';
