import { defineKeyword } from '../keyword.js';

/** Holds schemas for others to refer to; says nothing by itself (2020-12 core, 8.2.4). */
export const defs = defineKeyword<never>({
  name: '$defs',
  compile: () => undefined,
  evaluate: (bound) => bound.value,
});

/** The name of `$defs` up to draft-07; generators still write it under newer dialects. */
export const definitions = defineKeyword<never>({
  name: 'definitions',
  compile: () => undefined,
  evaluate: (bound) => bound.value,
});
