/** Holds callers until this many have arrived. */
export function barrier(size: number): { arrive(): Promise<void> } {
  let missing = size;
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  if (missing === 0) open();
  return {
    arrive() {
      missing -= 1;
      if (missing <= 0) open();
      return opened;
    },
  };
}
