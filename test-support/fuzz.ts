import fc from 'fast-check';

/** Draws the same values in every run: chance must not decide whether a change passes. */
fc.configureGlobal({ seed: 1_618_033 });

export { fc };
