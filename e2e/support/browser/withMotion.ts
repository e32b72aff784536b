/** For `test.use`: pages run their transitions, as for most users. The other tests use reduced motion. */
export const withMotion = { contextOptions: { reducedMotion: 'no-preference' } } as const;
