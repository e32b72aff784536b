/** For `test.use`: pages fade and slide as they do for most people. The other tests ask for reduced motion. */
export const moving = { contextOptions: { reducedMotion: 'no-preference' } } as const;
