interface Message {
  readonly id?: unknown;
  readonly method?: string;
}

export function hostile(prefix: string): (message: Message, send: (answer: Message) => void) => void;
