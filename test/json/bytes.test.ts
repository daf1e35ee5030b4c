import { expect, test } from 'vitest';
import * as web from '../../src/json/byte-text.web.js';
import { binaryOf, textOfBytes } from '../../src/json/index.js';

test('The build for the web decodes and encodes bytes in the same way', () => {
  const all = Uint8Array.from({ length: 10_000 }, (_, index) => index % 256);
  const broken = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xe4, 0xb8, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80, 0xc3);
  const samples = [all, all.subarray(3, 9000), broken, broken.subarray(1), new Uint8Array()];
  const inNode = samples.map((bytes) => [textOfBytes(bytes), binaryOf(bytes)]);
  expect(inNode[2]![0]).toBe('\ufeffa\ufffd😀\ufffd\ufffd\ufffd\ufffd');
  expect(inNode[0]![1]).toBe(Array.from(all, (byte) => String.fromCharCode(byte)).join(''));
  expect(samples.map((bytes) => [web.textOfBytes(bytes), web.binaryOf(bytes)])).toEqual(inNode);
});
