import { type Finding, type Rule, rules } from '../../internal.js';
import { visibleLine } from '../../json/index.js';
import { version } from '../help.js';

/** What was found at one server. */
export interface Checked {
  readonly server: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Findings as SARIF 2.1.0, which code hosts and editors read: one run for each server. A tool is a logical location;
 * where a configuration file was named, that is the file.
 */
export function sarif(checked: readonly Checked[], file: string | undefined): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: checked.map((each) => ({
      tool: { driver: { name: 'mcp-verbatim', semanticVersion: version, rules: descriptors } },
      ...(each.server !== undefined && { automationDetails: { id: each.server } }),
      results: each.findings.map((finding) => resultOf(finding, each.server, file)),
    })),
  };
}

const entries: readonly (readonly [string, Rule])[] = Object.entries(rules);

const descriptors = entries.map(([id, { level, about }]) => ({
  id,
  shortDescription: { text: about },
  help: { text: `${about} See docs/rules.md#${id} in the package mcp-verbatim.` },
  defaultConfiguration: { level },
}));

function resultOf({ rule, level, tool, message, location = '' }: Finding, server = '', file?: string): object {
  const place = [server, tool].filter((part) => part !== undefined && part !== '').join('/');
  const logical = { ...(tool !== undefined && { name: tool }), fullyQualifiedName: `${place}${location}` || 'server' };
  return {
    ruleId: rule,
    ruleIndex: descriptors.findIndex(({ id }) => id === rule),
    level,
    message: { text: withoutLinks(tool === undefined ? message : `${visibleLine(tool)}: ${message}`) },
    locations: [
      {
        logicalLocations: [logical],
        ...(file !== undefined && { physicalLocation: { artifactLocation: { uri: encodeURI(file) } } }),
      },
    ],
  };
}

/** SARIF reads `[text](address)` in a message as a link (2.1.0, 3.11.6). */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '\\](');
}
