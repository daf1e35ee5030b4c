import { generateKeyPairSync, sign } from 'node:crypto';

/** The PEM texts for a TLS server. */
export interface Certificate {
  key: string;
  cert: string;
}

/**
 * A self-signed certificate (X.509 v3, RFC 5280, with a key on P-256), encoded by hand because Node cannot create
 * certificates.
 *
 * @param expires default: a day from now
 */
export function selfSigned(hostName: string, expires = new Date(Date.now() + dayMs)): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(commonName, der(0x0c, Buffer.from(hostName)))));
  const names = sequence(der(0x82, Buffer.from(hostName)));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    sequence(ecdsaWithSha256),
    name,
    sequence(time(new Date(expires.getTime() - 2 * dayMs)), time(expires)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, names)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toBeSigned, privateKey)]);
  const certificate = sequence(toBeSigned, sequence(ecdsaWithSha256), der(0x03, signature));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(certificate) };
}

const dayMs = 24 * 60 * 60 * 1000;

// Encoded object identifiers: 2.5.4.3, 2.5.29.17, 1.2.840.10045.4.3.2.
const commonName = der(0x06, Buffer.from('550403', 'hex'));
const subjectAltName = der(0x06, Buffer.from('551d11', 'hex'));
const ecdsaWithSha256 = der(0x06, Buffer.from('2a8648ce3d040302', 'hex'));

/** Tag, length, contents (X.690, 8.1). */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function set(...contents: Buffer[]): Buffer {
  return der(0x31, ...contents);
}

/** GeneralizedTime: 20260728120000Z. */
function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
