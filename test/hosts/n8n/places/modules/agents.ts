import type { N8nApi } from '../../../../../test-support/n8n/api.js';

/** One of n8n's Agents, which exist beside workflows. */
export interface Agent {
  /** Sends a message to the agent's test chat, and resolves with the end of the answer. */
  chat(message: string): Promise<ChatEvent[]>;
  /** Approves or declines the call that the chat waits for, and resolves with the end of the answer. */
  review(asked: ChatEvent, approved: boolean): Promise<ChatEvent[]>;
}

export interface ChatEvent {
  type: string;
  [field: string]: unknown;
}

export async function createAgent(api: N8nApi, config: Record<string, unknown>): Promise<Agent> {
  const { id: projectId } = await api.request<{ id: string }>('GET', '/rest/projects/personal');
  const agents = `/rest/projects/${projectId}/agents/v2`;
  const { id } = await api.request<{ id: string }>('POST', agents, { name: 'Agent' });
  const { configHash } = await api.request<{ configHash: string | null }>('GET', `${agents}/${id}/config`);
  await api.request('PUT', `${agents}/${id}/config`, {
    config: { name: 'Agent', instructions: 'Do what is to be done.', ...config },
    baseConfigHash: configHash,
  });
  return {
    chat: (message) => stream(api, `${agents}/${id}/chat`, { message }),
    review({ payload }, approved) {
      const { runId, toolCallId } = payload as { runId: string; toolCallId: string };
      return stream(api, `${agents}/${id}/chat/resume`, { runId, toolCallId, resumeData: { approved } });
    },
  };
}

async function stream(api: N8nApi, path: string, body: object): Promise<ChatEvent[]> {
  const response = await fetch(api.url + path, {
    method: 'POST',
    headers: { ...api.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`n8n answered ${response.status} to ${path}: ${text.slice(0, 500)}`);
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as ChatEvent);
}
