/** Rules for the authors of servers. */
export * from './findings.js';
export { type Level, type Rule, type RuleId, rules } from './rules.js';
