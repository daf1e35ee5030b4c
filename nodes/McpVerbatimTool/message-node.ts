import type { ISupplyDataFunctions } from 'n8n-workflow';
import type { ModelTool } from '../../src/index.js';
import { withoutStrictMode } from '../../src/projections/zod/index.js';
import type { HostTool } from '../host/tool.js';
import { library } from '../library.js';
import { askingNode, isAskedByAgent } from './surroundings.js';

type Telling = Pick<HostTool, 'schema' | 'onlyZod' | 'quotesObjects'>;

/**
 * How the node that asks for the tools is told a schema: agents as it is, all others through Zod, and those whose
 * provider would refuse the request in a form that it takes.
 */
export async function tellingFor(context: ISupplyDataFunctions): Promise<(schema: ModelTool['schema']) => Telling> {
  const { providerSafeSchema } = await library();
  const onlyZod = !isAskedByAgent(context);
  const { type = '', typeVersion = 0 } = askingNode(context) ?? {};
  return (schema) => {
    // The root as OpenAI takes it is a plain object, as Zod's is.
    if (type.endsWith('.googleGemini'))
      return {
        schema: providerSafeSchema(providerSafeSchema(schema, 'openai'), 'google'),
        onlyZod,
        quotesObjects: true,
      };
    return { schema: type.endsWith('.openAi') && typeVersion >= 2 ? withoutStrictMode(schema) : schema, onlyZod };
  };
}
