import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';

/** What all sessions with one provider have in common: its tokens are renewed, and its user is asked, once for all. */
export interface ProviderState {
  /** The change of its tokens that is under way, and which one that is. */
  changing?: { key: string; done: Promise<void> };
  /** Ends when the user has come back from the browser. */
  finishing?: Promise<void>;
  /** Where the user was sent last, until the answer has come. */
  redirected?: { state: string | null };
  discovery?: OAuthDiscoveryState | undefined;
}

const states = new WeakMap<object, ProviderState>();

export function stateOf(provider: object): ProviderState {
  let state = states.get(provider);
  if (!state) states.set(provider, (state = {}));
  return state;
}

/** Changes tokens one after the other; who wants the same change meanwhile waits for it, and shares its outcome. */
export async function inTurn(state: ProviderState, key: string, change: () => Promise<void>): Promise<void> {
  // The user is in the browser already.
  if (state.finishing) return state.finishing;
  while (state.changing) {
    const { key: other, done } = state.changing;
    if (other === key) return done;
    await done.catch(() => {});
  }
  const done = change().finally(() => {
    delete state.changing;
  });
  state.changing = { key, done };
  return done;
}
