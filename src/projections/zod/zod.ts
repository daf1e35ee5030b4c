import type * as zod from 'zod';

/** The host's own Zod, given as a value: what is made with it is an instance of the host's classes. */
export type Zod = typeof zod.z;
