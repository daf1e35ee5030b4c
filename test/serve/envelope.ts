/** The members that describe a client in each of its requests of 2026-07-28. */
export function envelope(capabilities: object = {}): object {
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const clientInfo = { name: 'same', version: '1' };
  return {
    _meta: {
      [key('protocolVersion')]: '2026-07-28',
      [key('clientInfo')]: clientInfo,
      [key('clientCapabilities')]: capabilities,
      [key('logLevel')]: 'debug',
    },
  };
}
