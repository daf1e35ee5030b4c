import { providerNotes } from '../../index.js';
import type { CatalogueTool, Provider, ProviderNote } from '../../index.js';
import { fateOf, keywords } from './compare.js';
import { frameworkNames, installedFrameworks, isInstalled, NotLoadableError } from './installed.js';

/** What one consumer would do to one tool. */
export interface Finding {
  consumer: string;
  tool: string;
  severity: 'refused' | 'lossy' | 'cosmetic';
  what: string;
}

export interface Consumer {
  id: string;
  version?: string;
  /** Why nothing can be said of it here. */
  unchecked?: string;
}

export interface Check {
  consumers: Consumer[];
  findings: Finding[];
}

const providers: readonly Provider[] = ['openai', 'anthropic', 'google', 'cohere'];

export const knownConsumers: readonly string[] = [...providers, ...frameworkNames];

/** Whether something can be said of a consumer here: a provider always, a framework where it is installed. */
export function isAvailable(id: string, cwd: string): boolean {
  return providers.some((provider) => provider === id) || (frameworkNames.includes(id) && isInstalled(id, cwd));
}

/** @param only the consumers wanted; none means all that are known and installed */
export async function checkTools(
  tools: readonly CatalogueTool[],
  cwd: string,
  only: readonly string[],
): Promise<Check> {
  const wanted = (id: string) => only.length === 0 || only.includes(id);
  const chosen = providers.filter(wanted);
  const frameworks = (await installedFrameworks(cwd)).filter(({ id }) => wanted(id));
  const findings = chosen.flatMap((provider) => tools.flatMap((tool) => providerFindings(provider, tool)));
  const consumers: Consumer[] = chosen.map((id) => ({ id }));
  for (const { id, version, told } of frameworks) {
    const schemas = await told(tools).catch((error: unknown) =>
      error instanceof Error ? error : new Error(String(error)),
    );
    if (schemas instanceof NotLoadableError) consumers.push({ id, version, unchecked: schemas.message });
    else {
      consumers.push({ id, version });
      findings.push(...frameworkFindings(id, tools, schemas));
    }
  }
  return { consumers, findings };
}

function providerFindings(provider: Provider, tool: CatalogueTool): Finding[] {
  return providerNotes(tool, provider).map((note) => ({
    consumer: provider,
    tool: tool.name,
    severity: severityOf(note),
    what: note.message,
  }));
}

/** Without `$schema` a model is told nothing less. */
function severityOf({ effect, schemaLocation }: ProviderNote): Finding['severity'] {
  if (effect !== 'changed') return 'refused';
  return schemaLocation?.endsWith('/$schema') ? 'cosmetic' : 'lossy';
}

function frameworkFindings(
  id: string,
  tools: readonly CatalogueTool[],
  schemas: Map<string, unknown> | Error,
): Finding[] {
  if (schemas instanceof Error)
    return tools.map(({ name }) => ({
      consumer: id,
      tool: name,
      severity: 'refused',
      what: `the whole list fails: ${schemas.message}`,
    }));
  return tools.flatMap(({ name, inputSchema }) => {
    const finding = findingOf(inputSchema, schemas.get(name) ?? schemas.get(name.replace(/[^a-zA-Z0-9_]/g, '_')));
    return finding ? [{ consumer: id, tool: name, ...finding }] : [];
  });
}

function findingOf(wire: unknown, told: unknown): Pick<Finding, 'severity' | 'what'> | undefined {
  const fate = fateOf(wire, told);
  if (fate === 'lost') return { severity: 'refused', what: 'not offered' };
  if (fate === 'meaning') return { severity: 'lossy', what: difference(wire, told) };
  return fate === 'annotations' ? { severity: 'cosmetic', what: difference(wire, told) } : undefined;
}

/** By the keywords: which are fewer than on the wire, which more. */
function difference(wire: unknown, told: unknown): string {
  const before = keywords(wire);
  const after = keywords(told);
  const fewer = [...before].filter(([keyword, uses]) => (after.get(keyword) ?? 0) < uses).map(([keyword]) => keyword);
  const more = [...after].filter(([keyword, uses]) => (before.get(keyword) ?? 0) < uses).map(([keyword]) => keyword);
  const parts = [
    fewer.length > 0 ? `lost: ${fewer.join(', ')}` : '',
    more.length > 0 ? `added: ${more.join(', ')}` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('; ') : 'values changed';
}
