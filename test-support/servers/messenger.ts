import { startHttpServer } from './http.js';

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
  const server = await startHttpServer(({ body, json }) => {
    const { text, reply_markup } = body as unknown as Message; // n8n's own requests
    const buttons = (reply_markup?.inline_keyboard ?? []).flat().map(({ text, url }) => [text, url] as const);
    if (buttons.length > 0) asked({ text, buttons: new Map(buttons) });
    json({ ok: true, result: { message_id: 1 } });
  });
  return { origin: server.origin, question: () => question, [Symbol.asyncDispose]: () => server.close() };
}

interface Message {
  text: string;
  reply_markup?: { inline_keyboard: { text: string; url: string }[][] };
}
