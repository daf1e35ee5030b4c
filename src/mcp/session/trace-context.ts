/** What of OpenTelemetry's API is used here. Any program may have put anything in its place. */
interface OpenTelemetry {
  readonly context?: { active(): unknown };
  readonly propagation?: { inject(context: unknown, carrier: object, setter: Setter): void };
}

interface Setter {
  set(carrier: object, key: string, value: string): void;
}

/** Where every copy of @opentelemetry/api 1.x of a process finds what was registered with the first. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Not `baggage`: what stands in there is meant for the program's own services, not for strangers. */
const handedOn: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/**
 * The trace that the caller is in, where the process uses OpenTelemetry, as the entries of `_meta` by which a server goes
 * on with it (2026-07-28, Trace Context; W3C Trace Context).
 */
export function traceContext(): Record<string, string> {
  const found: Record<string, string> = {};
  try {
    const api = (globalThis as { [registry]?: OpenTelemetry })[registry];
    api?.propagation?.inject(api.context?.active(), found, {
      set: (_, key, value) => {
        if (handedOn.has(key)) found[key] = value;
      },
    });
  } catch {
    // Telemetry must not keep a call from being made.
  }
  return found;
}
