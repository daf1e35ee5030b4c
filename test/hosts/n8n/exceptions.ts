/**
 * The tools of the corpus whose schema the model is told otherwise than the server wrote it, by server, with what
 * it is told instead and why. Nothing else may differ, and nothing may stand here that does not.
 */
export const exceptions: Exception[] = [
  {
    reason:
      'The root has neither type nor properties. Arguments are an object in any case, and providers refuse the whole ' +
      'request for a root that does not say so: the model, and only the model, is told "type": "object" in front of the ' +
      'original, and "properties": {} behind it.',
    told: (wire) => `{"type":"object",${wire.slice(1, -1)},"properties":{}}`,
    tools: {
      'ivotoby__openapi-mcp-server--discriminators': [
        'one-of-top-level-discriminator-mapping',
        'one-of-top-level-discriminator-no-mapping',
        'one-of-request-with-a-nested-all-of-and-embedded-discriminator',
        'one-of-request-with-a-nested-all-of-and-top-level-discriminator',
        'discriminator-with-a-schema-name-mapping',
        'handling-for-potentially-undefined-form-data',
      ],
      'ivotoby__openapi-mcp-server--polymorphism': [
        'one-of-request-with-a-nested-all-of',
        'any-of-object',
        'any-of-primitive',
        'one-of-object',
        'one-of-primitive',
        'one-of-object-with-ref-pointers',
      ],
      'modelcontextprotocol__server-gitlab': [
        'create_or_update_file',
        'search_repositories',
        'create_repository',
        'get_file_contents',
        'push_files',
        'create_issue',
        'create_merge_request',
        'fork_repository',
        'create_branch',
      ],
    },
  },
  {
    reason:
      'The root has no properties, and OpenAI refuses the whole request for one that has none: the model, and only the ' +
      'model, is told "properties": {} behind the original.',
    told: (wire) => `${wire.slice(0, -1)},"properties":{}}`,
    tools: { 'ivotoby__openapi-mcp-server--polymorphism': ['one-of-object-with-a-complex-schema'] },
  },
];

export interface Exception {
  reason: string;
  /** What the model is told, from the text of the wire. */
  told: (wire: string) => string;
  tools: Record<string, string[]>;
}

export function exceptionFor(server: string, tool: string): Exception | undefined {
  return exceptions.find(({ tools }) => tools[server]?.includes(tool));
}
