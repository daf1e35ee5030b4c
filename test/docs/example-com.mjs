// Loaded before a program of the docs: its requests to https://example.com go to the test's own server.
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const { port } = new URL(process.env.EXAMPLE_COM);
const request = https.request.bind(https);

https.request = (...args) => {
  const given = args.find((arg) => typeof arg === 'object');
  const host = given?.hostname ?? given?.host ?? new URL(String(args[0])).hostname;
  if (host !== 'example.com') return request(...args);
  const { agent: _agent, ...options } = args.find((arg) => typeof arg === 'object' && !(arg instanceof URL)) ?? {};
  const path = options.path ?? new URL(String(args[0])).pathname;
  const plain = { ...options, protocol: 'http:', hostname: '127.0.0.1', host: '127.0.0.1', port, path };
  return http.request(plain, args.find((arg) => typeof arg === 'function'));
};
syncBuiltinESMExports();
