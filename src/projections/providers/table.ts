import { anthropic } from './anthropic.js';
import { google } from './google.js';
import { metaschema } from './metaschema.js';
import { openModels } from './open-models.js';
import { openai } from './openai.js';
import { patternRules } from './patterns.js';
import type { Rule } from './provider.js';

/** Every rule, in the order in which they are applied. */
export const table: readonly Rule[] = [metaschema, ...patternRules, ...openModels, ...google, ...openai, ...anthropic];
