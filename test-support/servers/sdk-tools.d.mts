export const toolsText: readonly string[];
