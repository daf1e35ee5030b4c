import type { ModelTool, Provider } from '../../src/index.js';
import { hintList } from '../hints.js';
import { refusals } from '../providers.js';

/** Names the tools that the model's provider is known to refuse or to leave out. */
export async function hintProviders(
  context: Parameters<typeof hintList>[0],
  offered: readonly ModelTool[],
  providers: readonly Provider[],
): Promise<void> {
  const told: string[] = [];
  for (const { name, schema } of offered) {
    for (const { message } of await refusals({ inputSchema: schema }, providers)) told.push(`"${name}": ${message}`);
  }
  const advice = 'The option "Adapt Schemas to the Model" shows such schemas in a form that is taken';
  if (told.length > 0) hintList(context, 'warning', advice, told);
}
