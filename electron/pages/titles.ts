/** The window title for each page of the shell. */
import { labLabel, machineLabel } from '../../api/lab/followedLab.ts';
import { safetyStopTexts } from '../../api/safetyStop/safetyStopTexts.ts';
import type { ShellPage } from '../ipc/contract.ts';

export function pageTitle(page: ShellPage): string {
  switch (page.page) {
    case 'about':
      return 'About Lab Manager';
    case 'settings':
      return 'Settings – Lab Manager';
    case 'diagnostics':
      return 'Diagnostics – Lab Manager';
    case 'maintenance':
      return 'Maintenance and Mute – Lab Manager';
    case 'logs':
      return 'Logs – Lab Manager';
    case 'stop':
      return `${safetyStopTexts.title} – Lab Manager`;
    case 'folder':
      return 'Choose Lab Folder – Lab Manager';
    case 'connect':
      return 'Connect to Lab – Lab Manager';
    case 'starting':
      return 'Lab Manager';
    case 'first-screen':
      return 'Set up – Lab Manager';
    case 'settings-error':
      return 'Settings errors – Lab Manager';
    case 'port-taken':
      return `Port ${page.port} in use – Lab Manager`;
    case 'failed':
      return `${page.title}${page.followedUrl === null ? '' : `: ${machineLabel(page.followedUrl)}`} – Lab Manager`;
    case 'service-lost':
      return 'Service not answering – Lab Manager';
    case 'lab':
      return `${page.lab === null ? 'Lab' : labLabel(page.lab)} – Lab Manager`;
  }
}
