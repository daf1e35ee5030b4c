interface Message {
  jsonrpc: '2.0';
  id?: string | number;
  method?: string;
  params?: { protocolVersion?: string };
  result?: unknown;
}

/** An MCP server without a wire, for clients that insist on one: it lists these tools and can do nothing else. */
export function memoryTransport(tools: readonly unknown[]) {
  const transport = {
    onmessage: undefined as ((message: Message) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: Error) => void) | undefined,
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async ({ id, method, params }: Message) => {
      if (id === undefined) return;
      const result =
        method === 'initialize'
          ? {
              protocolVersion: params?.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: 'server', version: '1.0.0' },
            }
          : { tools };
      transport.onmessage?.({ jsonrpc: '2.0', id, result: structuredClone(result) });
    },
  };
  return transport;
}
