import type { JsonObject } from '../../json/index.js';
import type { Connection } from '../connection/connection.js';
import { checkRequest } from './request-options.js';
import type { Requester } from './requests.js';
import type { ChangingList, Session } from './session.js';

interface SubscriptionsOptions {
  ask: Requester;
  /** Asks a server without a handshake to announce something, until the signal is aborted. */
  announce: (notifications: JsonObject, signal: AbortSignal, idleTimeoutMs?: number) => Promise<void>;
  current: () => Connection;
  onNotification: Session['onNotification'];
}

/** Changes that a session is notified of: of lists, and of the resources that it has subscribed to. */
export function subscriptions({ ask, announce, current, onNotification }: SubscriptionsOptions): {
  session: Pick<Session, 'onListChanged' | 'subscribe' | 'unsubscribe'>;
  /** Subscribes anew where the server has forgotten the session. Never rejects. */
  renew: () => Promise<void>;
} {
  const subscribed = new Map<string, AbortController>();

  return {
    session: {
      onListChanged(listener) {
        const over = new AbortController();
        const stop = onNotification((method) => {
          const list = listIn(method);
          if (list) listener(list);
        });
        const { capabilities } = current().handshake;
        const announced = lists.filter((list) => saysOf(capabilities[list], 'listChanged'));
        if (current().envelope && announced.length > 0) {
          const wanted = Object.fromEntries(announced.map((list) => [`${list}ListChanged`, true]));
          // A server that refuses it announces nothing; its lists stay as they are.
          announce(wanted, over.signal).catch(() => {});
        }
        return () => {
          stop();
          over.abort();
        };
      },
      async subscribe(uri, options = {}) {
        checkRequest('subscribe', options);
        if (subscribed.has(uri)) return;
        const over = new AbortController();
        // Once it is agreed upon, the caller's signal has done its part.
        const giveUp = () => {
          over.abort();
        };
        subscribed.set(uri, over);
        options.signal?.addEventListener('abort', giveUp);
        try {
          if (current().envelope) {
            await announce({ resourceSubscriptions: [uri] }, over.signal, options.idleTimeoutMs);
          } else {
            void current().listen();
            await ask('resources/subscribe', { uri }, options);
          }
        } catch (error) {
          subscribed.delete(uri);
          over.abort();
          throw error;
        } finally {
          options.signal?.removeEventListener('abort', giveUp);
        }
      },
      async unsubscribe(uri, options = {}) {
        checkRequest('unsubscribe', options);
        const over = subscribed.get(uri);
        subscribed.delete(uri);
        over?.abort();
        if (over && !current().envelope) await ask('resources/unsubscribe', { uri }, options);
      },
    },
    async renew() {
      await Promise.all([...subscribed.keys()].map((uri) => ask('resources/subscribe', { uri }).catch(() => {})));
    },
  };
}

const lists: readonly ChangingList[] = ['tools', 'prompts', 'resources'];

function listIn(method: string): ChangingList | undefined {
  return lists.find((list) => method === `notifications/${list}/list_changed`);
}

function saysOf(capability: unknown, name: string): boolean {
  return (capability as JsonObject | undefined)?.[name] === true; // whatever it is, its member is only compared
}
