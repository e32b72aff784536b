/** The entry of the shell's pages: start, first screen, errors and their remedies. The shell sends their state. */
import * as z from 'zod/mini';
import { createApp } from 'vue';
import { themeStyleSheet } from '../../api/themeColors.ts';
import { addOverlayRegion } from '../../dashboard/components/overlay/region.ts';
import ShellApp from './ShellApp.vue';
import '../../dashboard/components/page/page.css';
import '../../dashboard/components/form/controls.css';
import './pages.css';

// The page's content security policy forbids generated code.
z.config({ jitless: true });
document.head.append(Object.assign(document.createElement('style'), { textContent: themeStyleSheet() }));
// Before the page in the document, because reka-ui orders layers by it. A press on the safety stop must not close a
// dialog.
document.body.prepend(addOverlayRegion('Dialogs and hints'));
createApp(ShellApp).mount('#app');
