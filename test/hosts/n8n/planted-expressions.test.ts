import type { INodePropertyOptions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { isExpression } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, say, steps } from '../../../test-support/model/script.js';
import type { Workflow, WorkflowNode } from '../../../test-support/n8n/api.js';
import { agentWorkflow, behindInput, verbatim, verbatimTool, asJson } from '../../../test-support/n8n/workflows.js';
import {
  plantedAnswer,
  plantedPrompt,
  plantedResource,
  plantedTool,
  planted,
} from '../../../test-support/servers/planted.js';
import { startOAuthServer } from '../../../test-support/servers/oauth.js';
import { connectAccount, createAccount } from './account.js';
import { useBench, used, usedCredential } from './harness.js';
import { startRawServer } from '../../../test-support/servers/raw-server.js';

const secret = 'HUNTER2';

/** The initial values of a form's fields. */
const begun = { choice: `${planted} two`, constant: `${planted} constant`, inner: { a: planted } };

/**
 * A server whose every text begins with an expression. The editor's answers are stored as the editor stores them, and
 * the node runs behind an item with a secret.
 */
describe('expressions in the texts of a server, in a real n8n', () => {
  const bench = useBench();
  const server = used(startRawServer);
  const credential = usedCredential(bench, () => server.url);

  beforeEach(() => {
    server.play((method) => {
      const result = plantedAnswer(method);
      return result === undefined ? undefined : { result };
    });
  });

  const search = async (operation: object, method: string) => {
    const found = await bench.ask<{ results: INodePropertyOptions[] }>(
      'resource-locator-results',
      verbatim(credential, { ...operation }),
      method,
    );
    expect(textsIn(found).filter(isExpression)).toEqual([]);
    const [first] = found.results;
    return picked(first);
  };

  /** Runs a node behind an item with the secret; returns the server's request, which never contains it. */
  async function run(node: WorkflowNode) {
    server.received.length = 0;
    const execution = await bench.run(behindSecret(node));
    expect(JSON.stringify(server.received)).not.toContain(secret);
    const [request] = server.received.filter(({ method }) => /\/(?:call|read|get)$/.test(method));
    return { execution, params: request?.params };
  }

  /** A call with a chosen tool, and the fields of its form. */
  async function openForm() {
    const tool = await search({ operation: 'call' }, 'searchTools');
    const node = verbatim(credential, { operation: 'call', tool, argumentsMode: 'form' });
    const { fields } = await bench.ask<ResourceMapperFields>('resource-mapper-fields', node, 'getToolFields');
    return { node, fields };
  }

  test('A picked tool is called by its own name', async () => {
    const tool = await search({ operation: 'call' }, 'searchTools');
    const node = verbatim(credential, {
      operation: 'call',
      tool,
      argumentsMode: 'json',
      jsonArguments: asJson('{"constant":1}'),
    });
    // The argument differs from the constant, and the refusal shows the texts unchanged.
    const { execution } = await run(node);
    expect(`${execution.error?.description}`).toContain(`must be "${planted} constant"`);
    const args = JSON.stringify({ constant: `${planted} constant` });
    // A person wrote this JSON as it is, not as an expression.
    const { params } = await run({ ...node, parameters: { ...node.parameters, jsonArguments: asJson(args) } });
    expect(params).toMatchObject({ name: plantedTool.name, arguments: { constant: `${planted} constant` } });
  });

  test('An untouched form sends its constant, and no planted text', async () => {
    const { node, fields } = await openForm();
    expect(textsIn(fields).filter(isExpression)).toEqual([]);
    expect(fields.map(({ id }) => id)).not.toContain(planted);
    const { params } = await run({ ...node, parameters: { ...node.parameters, form: kept(fields) } });
    expect(params?.['arguments']).toEqual({ constant: begun.constant });
  });

  test('Every field and every choice can be filled in with the values that the editor was given', async () => {
    const { node, fields } = await openForm();
    const shown = fields.map((field) => ({ ...field, removed: false }));
    const form = kept(shown, ({ options, defaultValue }) => options?.[0]?.value ?? defaultValue);
    const { params } = await run({ ...node, parameters: { ...node.parameters, form } });
    expect(params?.['arguments']).toEqual({
      choice: `${planted} one`,
      constant: `${planted} constant`,
      titled: `${planted} a`,
      // A default that is JSON is filled in; its escapes keep the meaning.
      inner: { a: planted },
      yes: true,
      sure: true,
    });
  });

  test('The panel says which fields are not filled in', async () => {
    const tool = await search({ operation: 'call' }, 'searchTools');
    const node = verbatim(credential, { operation: 'call', tool, argumentsMode: 'form' });
    const about = await bench.ask<ResourceMapperFields>('resource-mapper-fields', node, 'getToolNotice');
    expect(about.emptyFieldsNotice).toContain('not filled in, because n8n would evaluate');
  });

  test('A value that is switched to an expression keeps its value, and a number field evaluates no code', async () => {
    const { node, fields } = await openForm();
    const all = fields.map((field) => ({ ...field, removed: false }));
    const filled = all.filter(({ defaultValue }) => defaultValue !== undefined);
    const form = kept(filled, ({ type, defaultValue }) => switched(type, defaultValue));
    const { params } = await run({ ...node, parameters: { ...node.parameters, form } });
    expect(params?.['arguments']).toEqual(begun);
  });

  test("The initial example of arguments as JSON is refused, and a person's version of it arrives", async () => {
    const tool = await search({ operation: 'call' }, 'searchTools');
    const node = verbatim(credential, { operation: 'call', tool, argumentsMode: 'json' });
    const { fields } = await bench.ask<ResourceMapperFields>('resource-mapper-fields', node, 'getJsonField');
    expect(fields.map(({ id, type }) => [id, type])).toEqual([['arguments', 'object']]);
    expect(textsIn(fields).filter(isExpression)).toEqual([]);
    const given = (filled: (typed: string) => unknown) => {
      const jsonArguments = kept(fields, ({ defaultValue }) => filled(String(defaultValue)));
      return { ...node, parameters: { ...node.parameters, jsonArguments } };
    };
    for (const untouched of [given((json) => json), given((json) => `=${json}`)]) {
      const { params, execution } = await run(untouched);
      expect(params).toBeUndefined();
      expect(execution.error?.message).toBe('The arguments are still the example');
    }
    const example = JSON.parse(String(fields[0]?.defaultValue)) as object;
    // A person adds to the text in the field, and the editor's switch makes it an expression.
    for (const mark of ['', '=']) {
      const edited = given((json) => mark + json.replace('{', '{ "count": 7,'));
      expect((await run(edited)).params?.['arguments'], mark).toEqual({ ...example, count: 7 });
    }
  });

  test('The node as a tool of an agent asks the model for nothing that a server wrote', async () => {
    const { node, fields } = await openForm();
    const asTool: WorkflowNode = {
      ...node,
      type: `${node.type}Tool`,
      parameters: { ...node.parameters, form: kept(fields) },
    };
    bench.model.play(say('Nothing to do.'));
    await bench.run(agentWorkflow(bench.modelNode, [asTool], { input: { password: secret } }));
    const [exposed] = (bench.model.requests.at(-1)?.json as { tools: { function: { parameters: object } }[] }).tools;
    expect(JSON.stringify(exposed?.function.parameters)).not.toContain('password');
    expect(exposed?.function.parameters).not.toHaveProperty('required');
  });

  test('A picked resource is read by its own URI', async () => {
    const uri = await search({ resource: 'resource', operation: 'read' }, 'searchResources');
    const { params, execution } = await run(verbatim(credential, { resource: 'resource', operation: 'read', uri }));
    expect(params).toMatchObject({ uri: plantedResource.uri });
    expect(execution.output('MCP Verbatim')).toHaveLength(1);
  });

  test('A picked prompt is fetched by its own name', async () => {
    const prompt = await search({ resource: 'prompt', operation: 'get' }, 'searchPrompts');
    const node = verbatim(credential, { resource: 'prompt', operation: 'get', prompt, arguments: '{}' });
    expect((await run(node)).params).toMatchObject({ name: plantedPrompt.name });
  });

  test('Selected, excluded, always exposed, fixed and approved tools are called by their own names', async () => {
    const node = verbatimTool(credential);
    const choices = await bench.ask<INodePropertyOptions[]>('options', node, 'getTools');
    const approvals = await bench.ask<INodePropertyOptions[]>('options', node, 'getApprovals');
    expect(textsIn([choices, approvals]).filter(isExpression)).toEqual([]);
    const tool = choices[0]?.value;
    const approved = asChosen(approvals[1]?.value);
    const parameters = {
      include: 'selected',
      tools: [tool],
      options: {
        toolSearch: { values: { mode: 'on', alwaysExpose: [tool] } },
        approvedTools: { values: { approved } },
        fixedArguments: { values: [{ tool: asChosen(tool), argument: 'text', value: 'fixed' }] },
      },
    };
    const toolNode = verbatimTool(credential, parameters);
    bench.model.play(
      steps((request) => {
        const offered = request.tools?.map((tool) => tool.function.name).find((name) => name.includes('tool'));
        return call(offered ?? 'none', { constant: `${planted} constant` })(request);
      }, say('Done.')),
    );
    server.received.length = 0;
    const execution = await bench.run(agentWorkflow(bench.modelNode, [toolNode], { input: { password: secret } }));
    expect(execution.status, JSON.stringify(execution.error)).toBe('success');
    expect(JSON.stringify(server.received)).not.toContain(secret);
    const [request] = server.received.filter(({ method }) => method === 'tools/call');
    expect(request?.params).toMatchObject({
      name: plantedTool.name,
      arguments: { constant: `${planted} constant`, text: 'fixed' },
    });
    const leftOut = verbatimTool(credential, { include: 'except', leaveOut: [tool] });
    bench.model.play(say('Nothing to do.'));
    await bench.run(agentWorkflow(bench.modelNode, [leftOut], { input: { password: secret } }));
    expect(JSON.stringify(bench.model.requests.at(-1))).not.toContain(secret);
  });

  test.each([
    { what: 'token', tokenPrefix: planted, asks: 'list' },
    { what: 'token', tokenPrefix: '={{ $vars.key }}', asks: 'panel' },
    {
      what: 'client',
      clientId: `={{ (() => { try { return $json.password } catch { return "registered" } })() }}`,
      asks: 'list',
    },
  ])('A $what that an authorization server planted is refused before n8n reads it: $asks', async (options) => {
    await using server = await startOAuthServer({ refreshTokens: true, ...options });
    const { seen, tokenRequests, url } = server;
    const account = await createAccount(bench.api, url);
    await connectAccount(bench.api, account);
    const node = verbatim(account, { operation: options.asks === 'list' ? 'list' : 'call' });
    const before = seen.length;
    const refused = 'holds an expression that the server put there';
    if (options.asks === 'list') expect((await bench.run(behindSecret(node))).error?.message).toContain(refused);
    else await expect(bench.ask('resource-locator-results', node, 'searchTools')).rejects.toThrow(refused);
    expect(seen.slice(before)).toEqual([]);
    expect(JSON.stringify([seen.map(({ path, headers, text }) => [path, headers, text]), tokenRequests])).not.toContain(
      secret,
    );
  });
});

/** All strings in an answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The value that n8n's editor stores for a first choice. */
function asChosen(value: unknown): unknown {
  return typeof value === 'string' && !value.startsWith('=') && value.includes('{{') && value.includes('}}')
    ? `=${value}`
    : value;
}

/** The value of a field after its switch is set to Expression (n8n-editor-ui 2.41, ParameterInputList). */
function switched(type: string | undefined, value: unknown): unknown {
  return type === 'number' || type === 'boolean' || typeof value !== 'string' ? `={{ ${String(value)} }}` : `=${value}`;
}

/** The value that the editor stores for an entry of a searchable list. */
function picked(entry: INodePropertyOptions | undefined): object {
  return { __rl: true, mode: 'list', value: asChosen(entry?.value), cachedResultName: entry?.name };
}

/** The values that the editor stores for a form: the defaults of visible fields, unless a person filled them in. */
function kept(
  schema: readonly ResourceMapperField[],
  filled: (field: ResourceMapperField) => unknown = ({ defaultValue, type }) =>
    defaultValue ?? (type === 'boolean' ? false : null),
): object {
  const shown = schema.filter(({ removed }) => removed !== true);
  const values = shown.map((field) => [field.id, asChosen(filled(field))] as const);
  const value = Object.fromEntries(values.filter(([, each]) => each !== null && each !== undefined));
  return { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
}

function behindSecret(node: WorkflowNode): Workflow {
  return behindInput({ password: secret }, node);
}
