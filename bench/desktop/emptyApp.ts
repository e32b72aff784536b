/** An app with only a window, as a baseline for the cost of Electron itself. Files by name. */
export const emptyApp: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "empty", "version": "0.0.0", "main": "main.cjs" }',
  'main.cjs': `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => new BrowserWindow({ width: 1440, height: 900 }).loadFile('index.html'));`,
  'index.html': '<!doctype html><title>Empty</title><p>Empty',
};
