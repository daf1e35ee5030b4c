import { quote } from '../../json/index.js';
import type {
  BoundKeyword,
  CompileContext,
  EvaluationContext,
  Reference,
  SchemaNode,
  UndeterminedReason,
  Verdict,
} from './keyword.js';
import { defineKeyword, silentKeyword } from './keyword.js';
import type { EvaluatedParts } from './evaluated-parts.js';

/** core, 8.2.3.1 */
export const ref = defineKeyword<Reference | UndeterminedReason>('$ref', {
  compile: resolveReference,
  evaluate: (bound, instance, context, evaluated) =>
    typeof bound.value === 'string'
      ? unresolved(bound.value, bound, context, evaluated)
      : context.follow(bound.value.node, instance, evaluated),
  leadsTo: ({ value }) => (typeof value === 'string' ? [] : [value.node]),
});

function resolveReference(value: unknown, at: CompileContext): Reference | UndeterminedReason | undefined {
  if (typeof value !== 'string') return at.malformed('a string');
  const target = at.resolve(value);
  if (typeof target === 'string')
    at.report('unresolved-reference', `${quote(value)} does not lead to a schema; nothing is fetched.`, 'error');
  return target;
}

/** The specification wants a reference to nothing refused, not waved through (2020-12 core, 8.2.3.1). */
function unresolved(
  reason: UndeterminedReason,
  { node, keyword }: BoundKeyword,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (evaluated) evaluated.uncertain = true;
  return context.undetermined(reason, node, keyword.name);
}

interface DynamicRef {
  readonly target: Reference | UndeterminedReason;
  /** The name to look for in the dynamic scope; without one it is a plain `$ref`. */
  readonly anchor: string | undefined;
}

/** core, 8.2.3.2: the outermost `$dynamicAnchor` of that name, if the reference itself leads to one. */
export const dynamicRef = defineKeyword<DynamicRef>('$dynamicRef', {
  compile(value, at) {
    const target = resolveReference(value, at);
    if (typeof target !== 'object') return target && { target, anchor: undefined };
    const { anchor, node } = target;
    return { target, anchor: anchor !== undefined && node.resource.dynamicAnchor(anchor) ? anchor : undefined };
  },
  evaluate(bound, instance, context, evaluated) {
    const { target, anchor } = bound.value;
    if (typeof target === 'string') return unresolved(target, bound, context, evaluated);
    if (anchor === undefined) return context.apply(target.node, instance, evaluated);
    const { scope } = context;
    context.consume(scope.length >> 2);
    for (const resource of scope) {
      const outermost = resource.dynamicAnchor(anchor);
      if (outermost) return context.apply(outermost, instance, evaluated);
    }
    return context.apply(target.node, instance, evaluated);
  },
  leadsTo({ value: { target, anchor } }, scope) {
    if (typeof target === 'string') return [];
    const dynamic = anchor === undefined ? [] : scope.map((resource) => resource.dynamicAnchor(anchor));
    return [target.node, ...dynamic.filter((node) => node !== undefined)];
  },
});

/** 2019-09 core, 8.2.4.2.1: the root, or the outermost root with `$recursiveAnchor: true` if this one has it too. */
export const recursiveRef = defineKeyword<SchemaNode>('$recursiveRef', {
  compile: (value, at) => (value === '#' ? at.node.resource.root : at.malformed('"#"')),
  evaluate({ value: root }, instance, context, evaluated) {
    const { scope } = context;
    context.consume(scope.length >> 2);
    const outermost = root.resource.recursive ? scope.find((resource) => resource.recursive) : undefined;
    return context.apply(outermost?.root ?? root, instance, evaluated);
  },
  leadsTo: ({ value: root }, scope) => [root, ...scope.filter(({ recursive }) => recursive).map((each) => each.root)],
});

/** Holds schemas for others to refer to (2020-12 core, 8.2.4). */
export const defs = silentKeyword('$defs');

/** The name of `$defs` up to draft-07; generators still write it under newer dialects. */
export const definitions = silentKeyword('definitions');
