import { createRequire } from 'node:module';

const agents = '@n8n/n8n-nodes-langchain';

/**
 * A module of the n8n that runs us, in the same copy that its AI nodes use: they do not recognise classes and Zod types
 * of another copy. Depending on how n8n was installed, a plain `require` finds another copy, or none (npm nests them,
 * pnpm keeps each package's own beside it, n8n 1.x does not depend on them itself).
 *
 * An `import()` would not do: it ignores NODE_PATH, to which n8n adds its packages, and finds the ESM copy.
 */
export function hostModule(name: string): unknown {
  for (const require of (found ??= hostRequires())) {
    const module = tried(() => require(name) as unknown);
    if (module !== undefined) return module;
  }
  return undefined;
}

let found: readonly NodeJS.Require[] | undefined;

/** The `require` of the AI nodes themselves, then n8n's own, by the program that was started, then this package's. */
export function hostRequires(program = createRequire(__filename).main?.filename): readonly NodeJS.Require[] {
  const from = [program, __filename].flatMap((file) => (file === undefined ? [] : createRequire(file)));
  const installed = from.flatMap((require) => tried(() => require.resolve(`${agents}/package.json`)) ?? []);
  // Started in some other way; but a node asks for the tools, so its package has been loaded.
  const loaded = Object.keys(createRequire(__filename).cache).filter((file) => inAgents.test(file));
  const [manifest] = [...installed, ...loaded];
  return [...(manifest === undefined ? [] : [createRequire(manifest)]), ...from];
}

const inAgents = new RegExp(`[/\\\\]${agents.replace('/', String.raw`[/\\]`)}[/\\\\]`);

function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
