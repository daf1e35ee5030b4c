// Calls a tool of an MCP server without any framework.
//   npm install mcp-verbatim
//   node plain-script.mjs
import { callTool, connect, describeRepair, InvalidArgumentsError, McpError, resultText } from 'mcp-verbatim';

const session = await connect({
  transport: 'stdio',
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-everything'],
});
try {
  const { tools, skipped } = await session.listTools();
  console.log(`${tools.length} tools, ${skipped.length} skipped`);
  const sum = tools.find(({ name }) => name === 'get-sum');
  if (sum === undefined) throw new Error('The server has no tool "get-sum".');

  const { result, repairs } = await callTool(session, sum, { a: '19', b: 23 });
  console.log(resultText(result), repairs.map(describeRepair));

  await callTool(session, sum, { a: 'many', b: 23 });
} catch (error) {
  if (error instanceof InvalidArgumentsError)
    console.log(error.message); // nothing was sent
  else if (error instanceof McpError) console.error(error.code, error.message, error.hint ?? '');
  else throw error;
} finally {
  await session.close();
}
