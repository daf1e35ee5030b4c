import { expect, test } from 'vitest';
import { asked, assertCalls, CannotMeasureError, controlServer } from '../../bench/control.js';
import { observedFidelity } from '../../bench/fidelity.js';
import type { Peer } from '../../bench/peer.js';
import { startReplayServer } from '../../test-support/servers/replay.js';

const broken = () => Promise.reject(new Error("Cannot find package '@langchain/openai'"));
const peer: Peer = { name: 'a peer', list: broken, ask: broken, call: broken, close: () => {} };

test('a peer whose packages are missing gets no figures, and the error says why', async () => {
  await using server = await startReplayServer(controlServer);
  const why = new CannotMeasureError('a peer', "Cannot find package '@langchain/openai'").message;
  await expect(assertCalls(peer, server)).rejects.toThrow(why);
  await expect(observedFidelity(peer.name, peer.ask, [], server)).rejects.toThrow(why);
  await expect(asked(peer.name, server, 'control', broken)).rejects.toThrow(why);
});

test('an agent that sends none of the tools of a plain server gets no figures', async () => {
  await using server = await startReplayServer(controlServer);
  const listsOnly = (url: string) =>
    fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) });
  await expect(observedFidelity('a peer', listsOnly, [], server)).rejects.toThrow('a plain tool was not sent');
});

test('an agent that never asks one of the servers gets no figures', async () => {
  await using server = await startReplayServer(controlServer);
  await expect(asked('a peer', server, 'control', () => Promise.resolve({}))).rejects.toThrow(
    'control was not asked for its tools',
  );
});

test('an error after the list was asked for is an answer', async () => {
  await using server = await startReplayServer(controlServer);
  const answer = await asked('a peer', server, 'control', async () => {
    await fetch(server.url('control'), {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    throw new Error('Invalid tool');
  });
  expect(answer).toBeInstanceOf(Error);
});
