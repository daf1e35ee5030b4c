import { defineKeyword, type SchemaNode } from '../keyword.js';

/** 2019-09 core, 8.2.4.2.1: the root, or the outermost root with `$recursiveAnchor: true` if this one has it too. */
export const recursiveRef = defineKeyword<SchemaNode>({
  name: '$recursiveRef',
  compile: (value, at) => (value === '#' ? at.node.resource.root : at.malformed('"#"')),
  evaluate({ value: root }, instance, context, evaluated) {
    const { scope } = context;
    context.consume(scope.length >> 2);
    const outermost = root.resource.recursive ? scope.find((resource) => resource.recursive) : undefined;
    return context.apply(outermost?.root ?? root, instance, evaluated);
  },
  leadsTo: ({ value: root }, scope) => [root, ...scope.filter(({ recursive }) => recursive).map((each) => each.root)],
});
