import { silentKeyword } from '../keyword.js';

/** Holds schemas for others to refer to (2020-12 core, 8.2.4). */
export const defs = silentKeyword('$defs');

/** The name of `$defs` up to draft-07; generators still write it under newer dialects. */
export const definitions = silentKeyword('definitions');
