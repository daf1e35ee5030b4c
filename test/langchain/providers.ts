import { startHttpServer } from '../../test-support/servers/http.js';

/** The requests of a model's package to its provider. */
export interface Capture {
  /** The body of the last request; undefined if there was none. */
  body(): unknown;
  /** The bodies of all requests. */
  bodies(): unknown[];
  url: string;
  close(): Promise<void>;
}

/** A provider on loopback that records requests and answers with an error. */
export async function captureRequests(): Promise<Capture> {
  const refusal = '{"message":"captured","error":"captured"}';
  const { origin, seen, close } = await startHttpServer(({ status }) =>
    status(400, refusal, { 'content-type': 'application/json' }),
  );
  return { body: () => seen.at(-1)?.body, bodies: () => seen.map(({ body }) => body), url: origin, close };
}

interface Model {
  bindTools(tools: unknown[]): { invoke(input: unknown): Promise<unknown> };
  invoke(input: unknown): Promise<unknown>;
}
type Require = (name: string) => Record<string, unknown>;

/** Makes a package's model from the fields that point it at a URL. */
const made =
  (from: string, name: string, fields: (url: string) => object) =>
  (require: Require, url: string): Model =>
    make(require(from)[name], { apiKey: 'none', maxRetries: 0, ...fields(url) });

const gemini = { model: 'gemini-2.5-pro' };
const openAi = (baseURL: string) => ({ model: 'gpt-4o', configuration: { baseURL } });
const responses = (url: string) => ({ ...openAi(url), useResponsesApi: true });
const claude = (anthropicApiUrl: string) => ({ model: 'claude-sonnet-4-5', anthropicApiUrl });
const mistral = (serverURL: string) => ({ model: 'mistral-large-latest', serverURL });
const llama = (baseUrl: string) => ({ model: 'llama', baseUrl });

/** The chat models of the real packages, each pointed at `url`. */
export const chatModels: Record<string, (require: Require, url: string) => Model> = {
  ChatOpenAI: made('@langchain/openai', 'ChatOpenAI', openAi),
  'ChatOpenAI, responses': made('@langchain/openai', 'ChatOpenAI', responses),
  ChatAnthropic: made('@langchain/anthropic', 'ChatAnthropic', claude),
  ChatGoogleGenerativeAI: made('@langchain/google-genai', 'ChatGoogleGenerativeAI', (baseUrl) => ({
    ...gemini,
    baseUrl,
  })),
  ChatGoogle: made('@langchain/google', 'ChatGoogle', (endpoint) => ({ ...gemini, endpoint })),
  ChatMistralAI: made('@langchain/mistralai', 'ChatMistralAI', mistral),
  ChatGroq: made('@langchain/groq', 'ChatGroq', llama),
  ChatOllama: made('@langchain/ollama', 'ChatOllama', llama),
  ChatCohere: (require, url) => {
    const client = make(require('cohere-ai')['CohereClient'], { environment: url, token: 'none' });
    return make(require('@langchain/cohere')['ChatCohere'], {
      apiKey: 'none',
      maxRetries: 0,
      model: 'command-r',
      client,
    });
  },
};

function make(constructor: unknown, fields: object): Model {
  return new (constructor as new (fields: object) => Model)(fields); // a class of a package that is not installed where types are checked
}
