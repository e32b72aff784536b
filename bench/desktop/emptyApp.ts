/** An app that is nothing but a window with a word in it: what Electron costs by itself. Files by name. */
export const emptyApp: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "empty", "version": "0.0.0", "main": "main.cjs" }',
  'main.cjs': `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 1440, height: 900 }).loadFile('index.html'));`,
  'index.html': '<!doctype html><title>Empty</title><p>Empty',
};
