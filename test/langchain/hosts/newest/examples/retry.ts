import { createAgent, toolRetryMiddleware } from 'langchain';
import { McpError, unknownOutcome } from 'mcp-verbatim';
import { mcpTools } from 'mcp-verbatim/langchain';

// A failed call is a message by default, and a message is never retried.
await using tools = await mcpTools({ url: 'https://example.com/mcp' }, { onFailure: 'throw' });
const agent = createAgent({
  model: 'openai:gpt-4.1',
  tools,
  middleware: [
    toolRetryMiddleware({
      maxRetries: 2,
      // Only what never reached the server: anything else may have been carried out already.
      retryOn: (error) => error instanceof McpError && error.code === 'CONNECTION_FAILED',
      // By default the model hears the error's name alone, and may make a call again that was carried out.
      onFailure: (error) =>
        error instanceof McpError && error.outcomeUnknown ? `${error.message} ${unknownOutcome}` : error.message,
    }),
  ],
});
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Delete record 7.' }] });
console.log(messages.at(-1)?.text);
