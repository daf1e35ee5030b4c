import { describe, expect, test } from 'vitest';
import { matchNames } from '../../src/tool/index.js';

const long = 'list_all_the_members_of_a_repository_with_their_roles_and_teams_sorted_by_name';

describe('the tool that a name in a request stands for', () => {
  test.each([
    ['the very name', 'search', 'search'],
    ['a prefix', 'mcp__github__search', 'search'],
    ["a node's name in front", 'MCP_Client_search', 'search'],
    ['other characters', 'search_people', 'search/people'],
    ['other characters and a prefix', 'crm-search_people', 'search.people'],
    ['accents', 'suche_Gaste', 'suche Gäste'],
    ['capitals', 'Search', 'search'],
    ['a hash at the end', 'search_people_3fa9c1', 'search people'],
    ['a name that is cut', long.slice(0, 64), long],
    ['a prefix and a name that is cut', `github_${long}`.slice(0, 64), long],
    ['a name that is cut, with a hash', `${long.slice(0, 57)}_4be21f`, long],
  ])('%s', (_case, sent, own) => {
    const other = { name: 'delete' };
    expect(matchNames([sent], [other, { name: own }]).get(sent)?.name).toBe(own);
  });

  test.each([
    ['a part of a word', 'research', 'search'],
    ['a beginning that was not cut', 'search', 'search_people'],
    ['nothing but signs', '___', '日本'],
    ['words behind it', 'search_people', 'search'],
  ])('is none for %s', (_case, sent, own) => {
    expect(matchNames([sent], [{ name: own }]).size).toBe(0);
  });

  test('of two that fit, the longer name is meant, and none is taken twice', () => {
    const tools = [{ name: 'search' }, { name: 'web_search' }];
    const matched = matchNames(['a_web_search', 'b_search'], tools);
    expect([...matched].map(([sent, { name }]) => [sent, name])).toEqual([
      ['a_web_search', 'web_search'],
      ['b_search', 'search'],
    ]);
  });

  test("the server's name in front tells equal names apart", () => {
    const tools = [
      { name: 'search', server: 'jira' },
      { name: 'search', server: 'git hub' },
    ];
    const matched = matchNames(['git_hub_search', 'jira_search'], tools);
    expect([...matched].map(([sent, { server }]) => [sent, server])).toEqual([
      ['git_hub_search', 'git hub'],
      ['jira_search', 'jira'],
    ]);
  });

  test('names of strangers take time in proportion to them', () => {
    const names = Array.from({ length: 3000 }, (_unused, index) => `${'a_'.repeat(2000)}${index}`);
    const tools = names.map((name) => ({ name: `${name}_b` }));
    expect(matchNames(names, tools).size).toBeLessThanOrEqual(3000);
  });
});
