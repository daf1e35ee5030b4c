// For workerd: answers each request with the program's findings about the URL in the query.
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
