// Imports programs one after the other, and sends back their output: see runner.ts.
import { format } from 'node:util';

process.on('message', async ({ file, args }) => {
  const printed = [];
  process.argv.splice(2, Infinity, ...args);
  console.log = (...values) => void printed.push(format(...values));
  const failure = await import(file).then(
    () => undefined,
    (error) => error.stack,
  );
  process.send({ printed: printed.join('\n'), failure });
});
