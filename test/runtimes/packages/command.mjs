// `command.mjs URL`, for the runtimes that run a file.
import { check } from './program.mjs';

const { argv, exit } = await import('node:process').then((module) => module.default);
console.log(JSON.stringify(await check(argv[2])));
exit(0);
