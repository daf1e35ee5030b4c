/** What guards, floor by floor. */
export const floors: Record<string, { mutate: string[]; tests: string[] }>;
