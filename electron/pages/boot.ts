/** Loads the pages once the first words are on the screen: their style sheet would hold those up. */
void import('./main.ts');
