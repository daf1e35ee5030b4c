/** What the adapter uses of `@openai/agents`, so that it is built without it; its users have the real types. */
export interface FunctionTool {
  type: 'function';
  name: string;
}

export declare function tool(options: {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  strict: false;
  needsApproval: boolean;
  errorFunction: null;
  execute: (
    input: unknown,
    context?: unknown,
    details?: { toolCall?: { arguments: string }; signal?: AbortSignal },
  ) => Promise<unknown>;
}): FunctionTool;
