/**
 * The property that holds the name of a class of this package. A process may have several copies of the package (ES
 * modules, CommonJS, two versions); equal names identify the same class.
 */
export const ownClass: unique symbol = Symbol.for('mcp-verbatim.class');

/** `Symbol.hasInstance`: whether a value is of this class, or of the one that another copy of the package has. */
export function isOwnInstance(this: object, value: unknown): boolean {
  const name = ownName(this);
  // A class that a program derives has no name here.
  if (name === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
  return namesOf(value).includes(name);
}

/**
 * True for every error of this package, even if another copy of the package threw it. Such an error has a stable
 * `code`.
 */
export function isMcpVerbatimError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && namesOf(error).length > 0;
}

/** Bad configuration: an option, an address or another argument that does not exist or is wrong. */
export class ConfigurationError extends TypeError {
  /** @internal */
  static readonly [ownClass] = 'ConfigurationError';
  override readonly name = 'ConfigurationError';
  readonly code = 'INVALID_CONFIGURATION';

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;
}

function namesOf(value: unknown): string[] {
  const names: string[] = [];
  if (typeof value !== 'object' || value === null) return names;
  for (let at = prototypeOf(value); at; at = prototypeOf(at)) {
    const name = ownName(at.constructor);
    if (name !== undefined) names.push(name);
  }
  return names;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null; // it is nothing else
}

function ownName(Class: object | undefined): string | undefined {
  if (Class === undefined || !Object.hasOwn(Class, ownClass)) return undefined;
  return String((Class as { [ownClass]?: unknown })[ownClass]);
}
