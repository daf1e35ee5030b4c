import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Workflow } from '../../test-support/n8n/api.js';
import { question } from '../../test-support/model/conversation.js';

const folder = fileURLToPath(new URL('../../demo/workflows', import.meta.url));

describe.for(readdirSync(folder))('the workflow %s', (file) => {
  const workflow = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Workflow; // the assertions below name what is wrong
  const names = workflow.nodes.map(({ name }) => name);

  test('A workflow names its nodes uniquely, and connects only those that it has', () => {
    expect(new Set(names).size).toBe(names.length);
    const connected = Object.entries(workflow.connections).flatMap(([from, outputs]) => [
      from,
      ...Object.values(outputs).flatMap((ends) => ends.flat().map(({ node }) => node)),
    ]);
    for (const name of connected) expect(names).toContain(name);
  });

  test('A workflow has the order of execution that the editor sets', () => {
    expect(workflow.settings).toMatchObject({ executionOrder: 'v1' });
  });

  test('A workflow names credentials that the demo makes, and holds no secret', () => {
    const credentials = workflow.nodes.flatMap((node) => Object.values(node.credentials ?? {}));
    for (const { name } of credentials) expect(['Demo server', 'Scripted model']).toContain(name);
  });

  test('A workflow asks its agents what the scripted model answers', () => {
    const agents = workflow.nodes.filter(({ type }) => type.endsWith('.agent'));
    for (const { parameters } of agents) expect(parameters['text']).toBe(question);
  });
});
