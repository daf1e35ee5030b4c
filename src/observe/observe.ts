import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { parseJson, visibleLine } from '../json/index.js';
import { hideSecretsIn } from '../secrets/index.js';
import { callsIn, type Format, formatOf, toolsText } from './formats.js';
import type { Observation, SentNames } from './observation.js';
import { answersCall, played } from './play.js';
import { type Answer, forwarder, listen, type ListenOptions, refuse } from './proxy.js';

export interface ObserveOptions extends ListenOptions {
  /** The provider; without one, answers are played. */
  readonly upstream: URL | undefined;
  readonly call: { readonly tool: string; readonly arguments: string } | undefined;
  readonly note: (text: string) => void;
}

const mostNotes = 50;

/** @throws Node's Error if the port is not available */
export async function observe(observation: Observation, options: ObserveOptions): Promise<void> {
  const { upstream, call } = options;
  const notes = new Set<string>();
  const note = (text: string) => {
    if (notes.has(text) || notes.size >= mostNotes) return;
    notes.add(text);
    options.note(text);
  };
  const forward = upstream && forwarder(upstream, note);
  const reading = new Set<Promise<void>>();
  const read = (work: Promise<void>) => {
    const done = work.catch(() => note('A message that passed could not be read.'));
    reading.add(done);
    void done.then(() => reading.delete(done));
  };

  const answer: Answer = (incoming, outgoing) => {
    const { url = '/' } = incoming;
    const [pathname = '/'] = url.split('?', 1);
    const format = incoming.method === 'POST' ? formatOf(pathname) : undefined;
    if (!format) {
      const shown = visibleLine(hideSecretsIn(`${incoming.method ?? ''} ${pathname.slice(0, 200)}`));
      note(forward ? `${shown} passes unread.` : `${shown} is not answered here.`);
      if (forward) forward(incoming, outgoing);
      else refuse(outgoing, 404, 'Only requests to a model are answered here.');
      return;
    }
    const request = toolsIn(incoming, format);
    if (forward) {
      const onAnswer = (message: IncomingMessage) => read(judge(copyOf(message), message.statusCode ?? 0));
      read(request.then(() => undefined));
      forward(incoming, outgoing, onAnswer);
    } else
      read(
        request.then(async ({ body, names }) => {
          const { type, text } = played(format.name, replyTo(body, names), body, url);
          outgoing.writeHead(200, { 'content-type': type }).end(text);
          await judge(Promise.resolve({ text }), 200);
        }),
      );

    async function judge(copy: ReturnType<typeof copyOf>, status: number): Promise<void> {
      const [whole, { names }] = [await copy, await request];
      if ('unread' in whole) note(`An answer to ${pathname} ${whole.unread}, so its calls are not judged.`);
      else if (status === 200 && format && names) await observation.noteAnswer(callsIn(whole.text, format), names);
    }
  };

  async function toolsIn(message: IncomingMessage, format: Format) {
    const copy = await copyOf(message);
    if ('unread' in copy)
      note(`A request to ${format.name} ${copy.unread}, so its tools are not compared, nor calls judged.`);
    const text = 'text' in copy ? copy.text : '';
    const body = parseJson(text);
    const list = body === undefined ? undefined : toolsText(text);
    const names: SentNames = list === undefined ? new Map() : await observation.noteRequest(list, format);
    // Only a played answer needs the body, which may be large.
    return { body: forward ? undefined : body, names: 'unread' in copy ? undefined : names };
  }

  function replyTo(body: unknown, names: SentNames = new Map()) {
    if (!call || answersCall(body)) return { text: 'Thank you.' };
    const name = [...names].find(([, known]) => known?.tool.name === call.tool)?.[0];
    if (name === undefined) return { text: `The request has no tool named ${call.tool}.` };
    return { name, arguments: call.arguments };
  }

  await listen(answer, options);
  await Promise.all(reading);
}

/** The largest body that is copied, once unpacked, too; and the limit for all copies at one time. */
const [longest, mostKept] = [32 * 1024 * 1024, 256 * 1024 * 1024];

let kept = 0;

/** From Node 22.15 on, which the types are older than. */
const { zstdDecompress } = zlib as { zstdDecompress?: typeof zlib.brotliDecompress };

const unpackers: Readonly<Record<string, (bytes: Buffer, options: object) => Promise<Buffer>>> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
  ...(zstdDecompress && { zstd: promisify(zstdDecompress) }),
};

async function copyOf(message: IncomingMessage): Promise<{ text: string } | { unread: string }> {
  const copy = { chunks: new Array<Buffer>(), size: 0, isTooLarge: false };
  const forget = () => {
    kept -= copy.size;
    copy.size = copy.chunks.length = 0;
  };
  message.on('data', (chunk: Buffer) => {
    if (copy.isTooLarge) return;
    copy.chunks.push(chunk);
    copy.size += chunk.length;
    kept += chunk.length;
    copy.isTooLarge = copy.size > longest || kept > mostKept;
    if (copy.isTooLarge) forget();
  });
  const { socket } = message;
  await new Promise((resolve) => {
    message.once('end', resolve).once('close', resolve);
    // Node says nothing more of a request that was answered before its end.
    socket.once('close', resolve);
    message.once('end', () => socket.off('close', resolve));
  });
  try {
    if (!message.complete) return { unread: 'broke off' };
    if (copy.isTooLarge) return { unread: `is larger than is read (${longest / 1024 / 1024} MB)` };
    const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    const bytes = Buffer.concat(copy.chunks);
    if (encoding === 'identity') return { text: bytes.toString() };
    const unpacked = await unpackers[encoding]?.(bytes, { maxOutputLength: longest });
    return unpacked ? { text: unpacked.toString() } : { unread: 'is compressed in a way that is not read here' };
  } catch {
    return { unread: `cannot be unpacked, or only to more than is read (${longest / 1024 / 1024} MB)` };
  } finally {
    forget();
  }
}
