/**
 * Installs a hook for Vue DevTools that does nothing. Without one, Vue's development build starts a timer and buffers
 * events for 3 s in case DevTools connect.
 */
Object.assign(globalThis, { __VUE_DEVTOOLS_GLOBAL_HOOK__: { emit: () => undefined } });
