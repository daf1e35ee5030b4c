import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The part of Telegram's API that n8n's human review uses: messages with buttons. */
export interface Messenger extends AsyncDisposable {
  readonly origin: string;
  /** Resolves with the next message that has buttons. */
  question(): Promise<Question>;
}

interface Question {
  text: string;
  /** The addresses behind the buttons, by their labels. */
  buttons: Map<string, string>;
}

export async function startMessenger(): Promise<Messenger> {
  let asked: (question: Question) => void;
  const question = new Promise<Question>((resolve) => (asked = resolve));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const message = JSON.parse((await text(request)) || '{}') as Message;
    const buttons = (message.reply_markup?.inline_keyboard ?? [])
      .flat()
      .map(({ text, url }): [string, string] => [text, url]);
    if (buttons.length > 0) asked({ text: message.text, buttons: new Map(buttons) });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"ok":true,"result":{"message_id":1}}');
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  return {
    origin: `http://127.0.0.1:${port}`,
    question: () => question,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}

interface Message {
  text: string;
  reply_markup?: { inline_keyboard: { text: string; url: string }[][] };
}
