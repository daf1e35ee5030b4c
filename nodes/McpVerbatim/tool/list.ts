import { signature } from '../../../src/internal.js';
import { logListed } from '../../call.js';
import { hintSkipped } from '../../hints.js';
import { toJson } from '../../items.js';
import { hintNone, type Operation } from '../operation.js';

/** The tools of the server, as it describes them. */
export const listTools: Operation = async (input) => {
  const { context, session, server, itemIndex, options } = input;
  const catalogue = await session.listTools(options.call);
  const { tools, skipped } = catalogue;
  logListed(context, server, catalogue, tools.length);
  hintSkipped(context, catalogue);
  if (tools.length === 0) hintNone(input, 'tools that can be called');
  const definitions = tools.map(({ definition }) => definition);
  switch (context.getNodeParameter('output', itemIndex, 'each')) {
    case 'single': {
      const { serverInfo, protocolVersion, instructions } = session;
      const notes = tools.flatMap(({ name, notes }) => notes.map((note) => ({ tool: name, ...note })));
      const about = { ...serverInfo, protocolVersion, instructions };
      return [{ json: toJson({ server: about, tools: definitions, skipped, notes }) }];
    }
    case 'compact':
      return tools.map((tool) => {
        const { name, title, description } = tool;
        return { json: toJson({ name, title, description, signature: signature(tool) }) };
      });
    default:
      return definitions.map((definition) => ({ json: toJson(definition) }));
  }
};
