import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { bundled } from '../../../test-support/bundled.js';
import { selfSigned, type Certificate } from '../../../test-support/servers/certificate.js';
import { programPath } from '../../../test-support/servers/program.js';
import { failureOf } from '../calling.js';
import { begun, closeAfterEach, listening } from '../serving.js';
import { temporaryFolder } from '../temporary-folder.js';
import { passOn } from './tunnel.js';

closeAfterEach();

/** Starts a server with this certificate, and returns its port. */
const servedWith = (certificate: Certificate) =>
  listening(
    createServer(certificate, ({ method }, response) => {
      const result = { ...begun, serverInfo: { name: 'secure', version: '1' } };
      response.writeHead(method === 'POST' ? 200 : 405, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));
    }),
  );

const failed = (problem: string, hint: string) => {
  const message = expect.stringContaining(`TLS certificate ${problem}`) as string;
  return { code: 'CONNECTION_FAILED', message, hint: expect.stringContaining(hint) as string };
};

test('A server with an untrusted certificate is refused, and the error says how to trust it', async () => {
  const port = await servedWith(selfSigned('localhost'));
  const refused = failed('is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)', 'NODE_EXTRA_CA_CERTS');
  expect(await failureOf(connect({ url: `https://localhost:${port}/mcp` }))).toMatchObject(refused);
});

test('A server with a trusted certificate is reached, also through a proxy, if its name and dates are valid', async () => {
  const names = ['localhost', 'secure.example', 'elsewhere.example', 'localhost'];
  const certificates = names.map((name, at) => selfSigned(name, at === 3 ? new Date(Date.now() - 60_000) : undefined));
  const folder = temporaryFolder(onTestFinished);
  const file = join(folder, 'certificates.pem');
  writeFileSync(file, certificates.map(({ cert }) => cert).join('\n'));
  const [trusted, behind, otherName, expired] = await Promise.all(certificates.map(servedWith));
  const tunnels: unknown[] = [];
  const proxy = createProxy().on('connect', ({ url }, socket) => {
    tunnels.push(url);
    passOn(socket, behind!);
  });
  // Node reads these settings only when it starts.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file, https_proxy: `127.0.0.1:${await listening(proxy)}` };
  const urls = [trusted, otherName, expired].map((port) => `https://localhost:${port}/mcp`);
  const args = [await bundled(programPath('reach.mts'), folder), ...urls, 'https://secure.example/mcp'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'secure' },
    failed('is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)', 'use that name in the URL'),
    failed('has expired (CERT_HAS_EXPIRED)', 'clock'),
    { name: 'secure' },
  ]);
  expect(new Set(tunnels)).toEqual(new Set(['secure.example:443']));
});
