import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { selfSigned, type Certificate } from '../../../test-support/servers/certificate.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, listening } from '../serving.js';
import { temporaryFolder } from '../temporary-folder.js';

closeAfterEach();

/** Starts a server with this certificate, and gives its URL on `localhost`. */
async function servedWith(certificate: Certificate): Promise<string> {
  const server = createServer(certificate, (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'secure', version: '1' } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }));
  });
  return `https://localhost:${await listening(server)}/mcp`;
}

/** What a process gets to see that was told to trust the certificate, which Node can only be told when it starts. */
async function reachedTrusting({ cert }: Certificate, url: string): Promise<unknown> {
  const file = join(temporaryFolder(onTestFinished), 'certificate.pem');
  writeFileSync(file, cert);
  const program = fileURLToPath(new URL('../../../test-support/servers/reach.mts', import.meta.url));
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, url], { env });
  return JSON.parse(stdout);
}

describe('a server whose TLS certificate', () => {
  test('nobody known has signed, is refused with the way to trust it', async () => {
    const url = await servedWith(selfSigned('localhost'));
    expect(await failureOf(connect({ url }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('TLS certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  test('is trusted in that way, is reached', async () => {
    const certificate = selfSigned('localhost');
    expect(await reachedTrusting(certificate, await servedWith(certificate))).toMatchObject({ name: 'secure' });
  });

  test('is for another host name, is refused with a hint at the name', async () => {
    const certificate = selfSigned('elsewhere.example');
    expect(await reachedTrusting(certificate, await servedWith(certificate))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('TLS certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)'),
      hint: expect.stringContaining('use that name in the URL'),
    });
  });

  test('has expired, is refused with a hint at its date', async () => {
    const certificate = selfSigned('localhost', new Date(Date.now() - 60_000));
    expect(await reachedTrusting(certificate, await servedWith(certificate))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('TLS certificate has expired (CERT_HAS_EXPIRED)'),
      hint: expect.stringContaining('clock'),
    });
  });
});
