import { fc } from '../../test-support/fuzz.js';
import { expect, test } from 'vitest';
import { memberText, withMember } from '../../src/json/index.js';

test.each([
  ['{"a": 1.0, "b": 1e400}', ['a'], '"x"', '{"a": "x", "b": 1e400}'],
  ['{"a": 1.0, "b": {}}', ['b', 'c'], '2', '{"a": 1.0, "b": {"c":2}}'],
  ['{"a":1}', ['_meta', 'token'], '7', '{"_meta":{"token":7},"a":1}'],
  ['{ }', ['a'], '1', '{"a":1 }'],
  ['{"a":1,"b":2,"c":3}', ['b'], undefined, '{"a":1, "c":3}'],
  ['{"a":1}', ['a'], undefined, '{}'],
  ['{"a":1,"b":2,"a":3}', ['a'], undefined, '{"b":2}'],
  ['{"a":1,"b":2,"a":3}', ['a'], '4', '{"a":1,"b":2,"a":4}'],
  ['{"a":1}', ['b'], undefined, '{"a":1}'],
  ['{"a":{"b":1}}', ['a', 'c'], undefined, '{"a":{"b":1}}'],
  ['[1]', ['a'], '1', '[1]'],
] as const)('The text %s with the member %j changed to %s is %s', (text, path, value, expected) => {
  expect(withMember(text, path, value)).toBe(expected);
});

test('A text with one member changed is parsed as the object with that member', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (object, name, value) => {
      const changed = withMember(JSON.stringify(object, null, 1), [name], JSON.stringify(value));
      expect(JSON.parse(changed)).toEqual(
        JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(object), [name, value]]))),
      );
      expect(memberText(changed, [name])).toBe(JSON.stringify(value));
      expect(Object.hasOwn(JSON.parse(withMember(changed, [name], undefined)) as object, name)).toBe(false);
    }),
  );
});
