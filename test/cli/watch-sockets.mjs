// Preloaded into a command: writes each address to which its process connects, and each name that it looks up, to
// SOCKETS.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { syncBuiltinESMExports } from 'node:module';

const note = (what) => appendFileSync(process.env.SOCKETS, `${what}\n`);

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args; // Node passes its normalized arguments on
  if (typeof options?.path !== 'string') note(`${options.host ?? 'localhost'}:${options.port}`);
  return connect.apply(this, args);
};

for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  const original = dns[name];
  dns[name] = (host, ...rest) => {
    note(`looks up ${host}`);
    return original(host, ...rest);
  };
}
syncBuiltinESMExports();
