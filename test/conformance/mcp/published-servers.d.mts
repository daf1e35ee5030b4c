/** The packages that `npm run record` records. */
export const publishedNames: readonly string[];
