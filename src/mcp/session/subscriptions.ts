import { valueAt, type JsonObject } from '../../json/index.js';
import { keepListening } from '../connection/listen-requests.js';
import { ofAnswer } from '../errors/explain.js';
import { anySignal } from '../runtime/node-runtime.js';
import { timerMs, within } from '../runtime/timers.js';
import type { LiveConnection } from './live-connection.js';
import type { Requester } from './requests.js';
import { checkRequest, type ChangingList, type RequestOptions, type Session } from './session.js';

const lists: readonly ChangingList[] = ['tools', 'prompts', 'resources'];

export function subscriptions(
  live: LiveConnection,
  ask: Requester,
): Pick<Session, 'onListChanged' | 'subscribe' | 'unsubscribe'> & {
  /** @param before work to do before anything is asked again of a server that may be another one now */
  renew: (before?: () => Promise<unknown>) => Promise<void>;
} {
  const subscribed = new Map<string, AbortController>();

  /** @param options of the request; `over` ends the subscription */
  async function announce(notifications: JsonObject, over: AbortController, options: RequestOptions = {}) {
    const method = 'subscriptions/listen';
    const { idleTimeoutMs: limitMs = live.idleTimeoutMs } = options;
    const signal = options.signal ? anySignal([over.signal, options.signal]) : over.signal;
    try {
      const agreed = within(limitMs, signal, async () => keepListening(live.current(), notifications, over.signal));
      const refused = await live.explained(agreed, method, { idleTimeoutMs: timerMs(limitMs), signal });
      if (refused) throw ofAnswer({ error: refused }, { method, mask: live.mask });
    } catch (error) {
      over.abort();
      throw error;
    }
  }

  return {
    onListChanged(listener) {
      const over = new AbortController();
      const stop = live.onNotification((method) => {
        const list = lists.find((list) => method === `notifications/${list}/list_changed`);
        if (list) listener(list);
      });
      const { handshake, revision } = live.current();
      const announced = lists.filter((list) => valueAt(handshake.capabilities, `/${list}/listChanged`) === true);
      if (revision.announcesOnRequest && announced.length > 0) {
        const wanted = Object.fromEntries(announced.map((list) => [`${list}ListChanged`, true]));
        // A server that rejects it announces nothing; its lists stay as they are.
        announce(wanted, over).catch(() => undefined);
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
      subscribed.set(uri, over);
      try {
        if (live.current().revision.announcesOnRequest) await announce({ resourceSubscriptions: [uri] }, over, options);
        else {
          void live.current().listen();
          await ask('resources/subscribe', { uri }, options);
        }
      } catch (error) {
        // Ended meanwhile, it may have been begun anew.
        if (subscribed.get(uri) === over) subscribed.delete(uri);
        throw error;
      }
    },
    async unsubscribe(uri, options = {}) {
      checkRequest('unsubscribe', options);
      const over = subscribed.get(uri);
      subscribed.delete(uri);
      over?.abort();
      if (over && !live.current().revision.announcesOnRequest) await ask('resources/unsubscribe', { uri }, options);
    },
    async renew(before) {
      await before?.();
      const again = [...subscribed.keys()].map((uri) => ask('resources/subscribe', { uri }).catch(() => undefined));
      await Promise.all(again);
    },
  };
}
