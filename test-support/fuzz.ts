import fc from 'fast-check';

/** The same values in every run: whether a change lands must not depend on what is drawn. */
fc.configureGlobal({ seed: 1_618_033 });

export { fc };
