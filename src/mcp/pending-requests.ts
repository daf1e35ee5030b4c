import type { Progress } from './session.js';
import type { WireAnswer } from './wire-answer.js';

/** A request that waits for its answer. */
export interface Pending {
  readonly method: string;
  answer?: WireAnswer;
  /** Ends the HTTP exchange of this request. */
  readonly exchange: AbortController;
  onProgress?: ((report: Progress) => void) | undefined;
}

type Id = string | number;

/** The requests under way, and which of them an answer is for. */
export class PendingRequests {
  readonly #byId = new Map<Id, Pending>();
  /** The client counts its requests. */
  #lastId = -1;

  add(id: Id, request: Pending): void {
    this.#byId.set(id, request);
    this.#lastId = Number(id);
  }

  get(id: Id): Pending | undefined {
    return this.#byId.get(id);
  }

  delete(id: Id): void {
    this.#byId.delete(id);
  }

  all(): Iterable<Pending> {
    return this.#byId.values();
  }

  /** The id of the request under way, if there is just one. */
  onlyId(): Id | undefined {
    return this.#byId.size === 1 ? [...this.#byId.keys()][0] : undefined;
  }

  /**
   * Which request an answer is for. Ids may come back as strings. A server that cannot even read the id of a request
   * sends an error without one (JSON-RPC 2.0, 5.1), which belongs to the only request there is, if there is only one.
   * Other errors without an id are what servers answer to notifications that they do not know.
   */
  idFor({ id, error }: { id?: Id | null; error?: { code?: unknown } }): Id | undefined {
    if (id === undefined || id === null) return unreadable.includes(error?.code) ? this.onlyId() : undefined;
    if (this.#byId.has(id)) return id;
    const number = Number(id);
    return this.#byId.has(number) ? number : undefined;
  }

  /** Whether there was a request of this id, as far as an answer says one. */
  wasMade(id: unknown): boolean {
    return id === undefined || id === null || Number(id) <= this.#lastId;
  }
}

/** JSON-RPC 2.0, 5.1: parse error and invalid request. */
const unreadable: readonly unknown[] = [-32700, -32600];
