/** Ends a command that lacks something it needs, with a sentence that names it: its figures would be false. */
export function cannotRun(why: string): never {
  console.error(why);
  process.exit(1);
}
