import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';

/** What all sessions with one provider have in common: its tokens are renewed, and its user is asked, once for all. */
export interface Shared {
  /** The change of its tokens that is under way, and which one that is. */
  changing?: { key: string; done: Promise<void> };
  /** Ends when the user has come back from the browser. */
  finishing?: Promise<void>;
  /** Where the user was sent last, until the answer has come. */
  redirected?: { state: string | null };
  discovery?: OAuthDiscoveryState | undefined;
}

const sharedByProvider = new WeakMap<object, Shared>();

export function sharedBy(provider: object): Shared {
  let shared = sharedByProvider.get(provider);
  if (!shared) sharedByProvider.set(provider, (shared = {}));
  return shared;
}

/** Changes tokens one after the other; who wants the same change meanwhile waits for it, and shares its outcome. */
export async function inTurn(shared: Shared, key: string, change: () => Promise<void>): Promise<void> {
  // The user is in the browser already.
  if (shared.finishing) return shared.finishing;
  while (shared.changing) {
    const { key: other, done } = shared.changing;
    if (other === key) return done;
    await done.catch(() => {});
  }
  const done = change().finally(() => {
    delete shared.changing;
  });
  shared.changing = { key, done };
  return done;
}
