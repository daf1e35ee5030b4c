import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';

/** 2019-09 core, 8.2.4.2.1: the root, or the outermost root with `$recursiveAnchor: true` if this one has it too. */
export const recursiveRef = defineKeyword<SchemaNode>({
  name: '$recursiveRef',
  compile: (value, at) => (value === '#' ? at.node.resource.root : at.malformed('"#"')),
  evaluate({ value: root, node }, instance, run, evaluated) {
    if (!run.spend(run.scope.length >> 2)) return run.undetermined('steps', node, '$recursiveRef');
    const outermost = root.resource.recursive ? run.scope.find((resource) => resource.recursive) : undefined;
    return run.apply(outermost?.root ?? root, instance, evaluated);
  },
});
