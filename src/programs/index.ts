/** Tools with connections of their own, for programs: the base of every framework's entry. */
export * from './agent-tools.js';
export * from './approval-rule.js';
export * from './model-schema.js';
export * from './named-model.js';
export * from './open-tools.js';
export * from './options.js';
export * from './report.js';
export * from './servers.js';
export * from './sources.js';
export * from './written-arguments.js';
