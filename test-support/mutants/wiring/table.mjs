import { approval } from './approval.mjs';
import { commandLine } from './command-line.mjs';
import { nodes } from './nodes.mjs';
import { programs } from './programs.mjs';
import { protocol } from './protocol.mjs';
import { serve } from './serve.mjs';

/** Mistakes that a maintainer could make: an argument, an option, a header or a statement that is dropped or wrong. */
export const promises = [...serve, ...commandLine, ...nodes, ...programs, ...approval, ...protocol];
