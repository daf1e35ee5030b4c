/** Ends a command that lacks what it needs, with a sentence that says what; its figures would be false. */
export function cannotRun(why: string): never {
  console.error(why);
  process.exit(1);
}
