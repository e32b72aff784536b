/** The shell's own pages: start, first screen, what went wrong and what to do. They get what they show from the shell. */
import * as z from 'zod/mini';
import { createApp } from 'vue';
import ShellApp from './ShellApp.vue';
import './pages.css';
import { tokenRules } from './tokenRules.ts';

// The page's policy forbids making code from text.
z.config({ jitless: true });
const look = document.createElement('style');
look.textContent = tokenRules();
document.head.append(look);
createApp(ShellApp).mount('#app');
