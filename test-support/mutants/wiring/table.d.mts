/** A promise to users, an edit that breaks it, and the test that has to notice. */
export interface BrokenPromise {
  /** As a user reads it. */
  readonly promise: string;
  /** Which page of docs/ makes it. */
  readonly page: string;
  readonly file: string;
  /** What stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  readonly test: readonly [file: string, title: string];
}

export const promises: readonly BrokenPromise[];
