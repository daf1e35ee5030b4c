interface Server {
  /** Members of an object, by method; `params` are the request's. */
  readonly results: string;
  /** Code that runs before, for each message; `print` sends one. */
  readonly otherwise?: string | undefined;
  readonly capabilities?: string | undefined;
  /** An expression. */
  readonly name?: string;
}

/** The program, in CommonJS, of a server of 2025-11-25 that is written by what it answers. */
export function serverCode({
  results,
  otherwise = '',
  capabilities = 'tools: {}',
  name = 'String(process.pid)',
}: Server): string {
  return `const print = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      const { id, method, params, result, error } = message;
      const answers = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { ${capabilities} }, serverInfo: { name: ${name}, version: '1' } },
        ${results}
      };
      ${otherwise}
      if (id === undefined || method === undefined) return;
      print({ id, ...(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'Method not found' } }) });
    });`;
}
