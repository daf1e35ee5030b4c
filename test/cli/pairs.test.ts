import { describe, expect, test } from 'vitest';
import { serverForAll } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { built, everything } from './built.js';
import { cli, containing } from './run.js';

test('A tool of a published server can be called with NAME=VALUE', async () => {
  const ran = await built(['call', 'get-sum', 'a=1', 'b=2.5', ...everything]);
  expect(ran).toMatchObject({ code: 0, stdout: 'The sum of 1 and 2.5 is 3.5.\n' });
});

describe('a value is typed by the schema', () => {
  const properties = {
    text: { type: 'string' },
    code: { type: ['string', 'integer'] },
    any: {},
    count: { type: 'integer', maximum: 100 },
    large: { type: 'integer' },
    flag: { type: 'boolean' },
    none: { type: ['integer', 'null'] },
    list: { type: 'array', items: { type: 'string' } },
    map: { $ref: '#/$defs/map' },
    choice: { enum: [1, 'two'] },
    'a/b': { type: 'number' },
  };
  const inputSchema = { type: 'object', properties, additionalProperties: false, $defs: { map: { type: 'object' } } };
  const server = serverForAll([tool('typed', { inputSchema })]);
  const call = (...words: string[]) => cli(['call', 'typed', ...words, '--url', server.url]);

  test.each([
    ['text=5', '{"text":"5"}'],
    ['text=', '{"text":""}'],
    ['text=a=b c', '{"text":"a=b c"}'],
    ['code=5', '{"code":"5"}'],
    ['any=5', '{"any":"5"}'],
    ['count=5', '{"count":5}'],
    ['large=12345678901234567890', '{"large":12345678901234567000}'],
    ['flag=true', '{"flag":true}'],
    ['none=null', '{"none":null}'],
    ['none=7', '{"none":7}'],
    ['list=["a","1"]', '{"list":["a","1"]}'],
    ['map={"a":1}', '{"map":{"a":1}}'],
    ['choice=1', '{"choice":1}'],
    ['choice=two', '{"choice":"two"}'],
    ['a/b=1.5', '{"a/b":1.5}'],
  ])('The pair %s is sent as %s, and no repair is needed', async (pair, sent) => {
    expect(await call(pair, '--repair', 'off')).toEqual({ code: 0, stdout: `${sent}\n`, stderr: '' });
  });

  test.each([
    ['count=1.5', 'must be integer, received number 1.5'],
    ['map=[1]', 'must be object, received array [1]'],
    ['list={}', 'must be array of strings, received object {}'],
    ['count=true', 'must be integer, received boolean true'],
    ['flag=1.5', 'must be boolean, received number 1.5'],
    ['map=5', 'must be object, received integer 5'],
    ['map=null', 'must be object, received null'],
    ['count=1e400', 'must be integer, received string "1e400"'],
    ['a/b=-1e400', 'must be number, received string "-1e400"'],
  ])('The pair %s is refused, and the error shows what was read', async (pair, line) => {
    expect(await call(pair)).toMatchObject({ code: 3, stderr: containing(line) });
  });

  test.each([['flag=yes'], ['count=500'], ['count=x'], ['none=nil'], ['other=1']])(
    'The ambiguous pair %s is refused, and nothing is sent',
    async (pair) => {
      server.calls.length = 0;
      expect(await call(pair)).toMatchObject({ code: 3, stderr: containing(pair.split('=')[0]!) });
      expect(server.calls).toEqual([]);
    },
  );

  test.each([
    [['text=a', 'text=b'], '"text" is given twice'],
    [['text=a', 'b'], '"b" is not of the form NAME=VALUE'],
    [['{"text":"a"}', 'b=c'], 'is not of the form NAME=VALUE'],
  ])('The words %j are wrong usage', async (words, why) => {
    expect(await call(...words)).toMatchObject({ code: 2, stderr: containing(why) });
  });
});
