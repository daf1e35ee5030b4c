/** The guarding code, layer by layer. */
export const floors: Record<string, { mutate: string[]; tests: string[] }>;
