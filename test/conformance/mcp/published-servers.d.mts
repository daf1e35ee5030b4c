export const publishedNames: readonly string[];

interface PublishedServer {
  readonly name: string;
  readonly version: string;
  readonly command: string;
  readonly args: string[];
  readonly env: Readonly<Record<string, string>>;
}

export function publishedServers(wanted: readonly string[]): PublishedServer[];
