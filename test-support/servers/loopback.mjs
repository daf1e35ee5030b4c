// Loaded before a server program that can only be told a port: it listens on loopback alone, and says where.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((value) => typeof value === 'function');
  return listen.call(this, Number(port), '127.0.0.1', () => {
    console.error(`listening at http://127.0.0.1:${this.address().port}`);
    callback?.call(this);
  });
};
