/** A promise to users, an edit that breaks it, and the test that has to notice. */
export interface BrokenPromise {
  /** In a user's words. */
  readonly promise: string;
  /** The page of docs/ that makes the promise. */
  readonly page: string;
  readonly file: string;
  /** The text that the file contains exactly once. */
  readonly from: string;
  readonly to: string;
  readonly test: readonly [file: string, title: string];
}

export const promises: readonly BrokenPromise[];
