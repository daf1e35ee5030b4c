// For workerd: answers each request with what the program found at the URL in its query.
import { check } from './program.mjs';

export default {
  async fetch(request) {
    try {
      return Response.json(await check(new URL(request.url).searchParams.get('url')));
    } catch (error) {
      return new Response(`${error.stack ?? error}`, { status: 500 });
    }
  },
};
