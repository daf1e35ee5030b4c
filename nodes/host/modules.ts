import { createRequire } from 'node:module';

const agents = '@n8n/n8n-nodes-langchain';

/**
 * A module of the n8n that runs us, in the very copy that its AI nodes have: classes and Zod types of another copy are
 * strangers to them. Depending on how n8n was installed, such other copies, or none, lie where a plain `require` looks
 * (npm nests them, pnpm keeps each package's own beside it, n8n 1.x does not depend on them itself).
 *
 * An `import()` would not do: it misses NODE_PATH, on which n8n puts its packages, and finds the ESM copy.
 */
export function hostModule(name: string): unknown {
  for (const require of (found ??= hostRequires())) {
    const module = tried(() => require(name) as unknown);
    if (module !== undefined) return module;
  }
  return undefined;
}

let found: readonly NodeJS.Require[] | undefined;

/** What the AI nodes themselves would find, then what n8n would, by the program that was started, then this package. */
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
