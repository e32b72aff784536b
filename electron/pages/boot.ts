/** Loads the pages after the first text is displayed, because their style sheet would delay it. */
void import('./main.ts');
