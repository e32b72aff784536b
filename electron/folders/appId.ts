/**
 * The app's name among all apps of a system. The installers register it, and Windows joins windows and notifications with
 * the shortcut that has the same one.
 */
export const appId = 'org.labmanager.LabManager';
