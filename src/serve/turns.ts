/** From so many characters on, reading or checking a message takes long enough to be noticed. */
const longMessage = 64 * 1024;

/** Of all clients of the process, as they share its event loop. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves at once for a short message. Each long one gets a turn of the event loop of its own, so that short messages of
 * other clients come in between.
 */
export async function ownTurn(length: number): Promise<void> {
  if (length < longMessage) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}
