import type { HttpAddress } from '../address.js';

/** Takes user and password out of a URL, where `fetch` refuses them, and puts them where they travel. */
export function separateCredentials({ url, headers }: HttpAddress): { url: URL; headers?: Record<string, string> } {
  const bare = new URL(url);
  const { username, password } = bare;
  bare.username = bare.password = '';
  const given = headers && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (!(username || password) || given) return { url: bare, ...(headers && { headers }) };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url: bare, headers: { ...headers, Authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` } };
}
