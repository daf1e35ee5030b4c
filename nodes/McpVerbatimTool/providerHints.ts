import type { ModelTool, Provider } from '../../src/index.js';
import { hintList } from '../hints.js';
import { library } from '../library.js';

/** Names the tools that the model's provider is known to refuse or to leave out, before that costs a run. */
export async function hintProviders(
  context: Parameters<typeof hintList>[0],
  offered: readonly ModelTool[],
  providers: readonly Provider[],
): Promise<void> {
  const { providerNotes } = await library();
  const told = offered.flatMap(({ name, schema }) =>
    providers
      .flatMap((provider) => providerNotes({ inputSchema: schema }, provider))
      .filter(({ effect }) => effect !== 'changed')
      .map(({ message }) => `"${name}": ${message}`),
  );
  const advice = 'The option "Adapt Schemas to the Model" shows such schemas in a form that is taken';
  if (told.length > 0) hintList(context, 'warning', advice, told);
}
