import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What a model's package asked its provider for. */
export interface Capture {
  /** The body of the last request; undefined when none was made. */
  body(): unknown;
  url: string;
  close(): Promise<void>;
}

/** A provider on loopback that writes down what it is asked and answers nothing of use. */
export async function captureRequests(): Promise<Capture> {
  let body: unknown;
  const server = createServer((request, response) => {
    void json(request).then((content) => {
      body = content;
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"captured","error":"captured"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    body: () => body,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Model {
  bindTools(tools: unknown[]): { invoke(input: unknown): Promise<unknown> };
  invoke(input: unknown): Promise<unknown>;
}
type Constructor = new (fields: Record<string, unknown>) => Model;
type Require = (name: string) => Record<string, unknown>;

const key = { apiKey: 'none', maxRetries: 0 };

/** The chat models of the real packages, each pointed at `url`. */
export const chatModels: Record<string, (require: Require, url: string) => Model> = {
  ChatOpenAI: (require, url) =>
    make(require('@langchain/openai')['ChatOpenAI'], { ...key, model: 'gpt-4o', configuration: { baseURL: url } }),
  'ChatOpenAI, responses': (require, url) =>
    make(require('@langchain/openai')['ChatOpenAI'], {
      ...key,
      model: 'gpt-4o',
      useResponsesApi: true,
      configuration: { baseURL: url },
    }),
  ChatAnthropic: (require, url) =>
    make(require('@langchain/anthropic')['ChatAnthropic'], {
      ...key,
      model: 'claude-sonnet-4-5',
      anthropicApiUrl: url,
    }),
  ChatGoogleGenerativeAI: (require, url) =>
    make(require('@langchain/google-genai')['ChatGoogleGenerativeAI'], {
      ...key,
      model: 'gemini-2.5-pro',
      baseUrl: url,
    }),
  ChatGoogle: (require, url) =>
    make(require('@langchain/google')['ChatGoogle'], { ...key, model: 'gemini-2.5-pro', endpoint: url }),
  ChatMistralAI: (require, url) =>
    make(require('@langchain/mistralai')['ChatMistralAI'], { ...key, model: 'mistral-large-latest', serverURL: url }),
  ChatGroq: (require, url) => make(require('@langchain/groq')['ChatGroq'], { ...key, model: 'llama', baseUrl: url }),
  ChatOllama: (require, url) =>
    make(require('@langchain/ollama')['ChatOllama'], { ...key, model: 'llama', baseUrl: url }),
  ChatCohere: (require, url) => {
    const client = make(require('cohere-ai')['CohereClient'], { environment: url, token: 'none' });
    return make(require('@langchain/cohere')['ChatCohere'], { ...key, model: 'command-r', client });
  },
};

function make(constructor: unknown, fields: Record<string, unknown>): Model {
  return new (constructor as Constructor)(fields); // a class of a package that is not installed where types are checked
}
