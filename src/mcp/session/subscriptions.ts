import { valueAt, type JsonObject } from '../../json/index.js';
import { keepListening } from '../connection/listen-requests.js';
import { ofAnswer } from '../errors/explain.js';
import { Deadline } from '../runtime/deadline.js';
import { timerMs } from '../runtime/timers.js';
import type { LiveConnection } from './live-connection.js';
import type { Requester } from './requests.js';
import { checkRequest, type ChangingList, type Session } from './session.js';

const lists: readonly ChangingList[] = ['tools', 'prompts', 'resources'];

export function subscriptions(
  live: LiveConnection,
  ask: Requester,
): Pick<Session, 'onListChanged' | 'subscribe' | 'unsubscribe'> & {
  /** @param before work to do before anything is asked again of a server that may be another one now */
  renew: (before?: () => Promise<unknown>) => Promise<void>;
} {
  const subscribed = new Map<string, AbortController>();

  async function announce(notifications: JsonObject, over: AbortController, limitMs = live.idleTimeoutMs) {
    const method = 'subscriptions/listen';
    const about = { idleTimeoutMs: timerMs(limitMs), signal: over.signal };
    const deadline = new Deadline(limitMs, over.signal);
    try {
      const agreed = deadline.wait(keepListening(live.current(), notifications, over.signal));
      const refused = await live.explained(agreed, method, about);
      if (refused) throw ofAnswer({ error: refused }, { method, mask: live.mask });
    } catch (error) {
      over.abort();
      throw error;
    } finally {
      deadline.clear();
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
        // A server that refuses it announces nothing; its lists stay as they are.
        announce(wanted, over).catch(() => {});
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
      const giveUp = () => over.abort();
      subscribed.set(uri, over);
      options.signal?.addEventListener('abort', giveUp);
      if (options.signal?.aborted) giveUp();
      try {
        if (live.current().revision.announcesOnRequest) {
          await announce({ resourceSubscriptions: [uri] }, over, options.idleTimeoutMs);
        } else {
          void live.current().listen();
          await ask('resources/subscribe', { uri }, options);
        }
      } catch (error) {
        subscribed.delete(uri);
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
      if (over && !live.current().revision.announcesOnRequest) await ask('resources/unsubscribe', { uri }, options);
    },
    async renew(before) {
      await before?.();
      await Promise.all([...subscribed.keys()].map((uri) => ask('resources/subscribe', { uri }).catch(() => {})));
    },
  };
}
