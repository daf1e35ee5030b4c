import type { ISupplyDataFunctions } from 'n8n-workflow';
import { type ModelTool, providerSafeSchema } from '../../../src/internal.js';
import { withoutStrictMode } from '../../../src/projections/zod/index.js';
import type { HostTool } from '../../host/tool.js';
import { askingNode, isAskedByAgent } from '../workflow-graph.js';

type SchemaForCaller = Pick<HostTool, 'schema' | 'onlyZod' | 'rawObjects'>;

/**
 * The schema as the node that asks for the tools gets it: agents as it is, all others through Zod, and those whose
 * provider would refuse the request in a form that it accepts.
 */
export function schemaForCaller(context: ISupplyDataFunctions): (schema: ModelTool['schema']) => SchemaForCaller {
  const onlyZod = !isAskedByAgent(context);
  const { type = '', typeVersion = 0 } = askingNode(context) ?? {};
  return (schema) => {
    // The root as OpenAI accepts it is a plain object, as Zod's is.
    if (type.endsWith('.googleGemini'))
      return {
        schema: providerSafeSchema(providerSafeSchema(schema, 'openai'), 'google'),
        onlyZod,
        rawObjects: true,
      };
    return { schema: type.endsWith('.openAi') && typeVersion >= 2 ? withoutStrictMode(schema) : schema, onlyZod };
  };
}
