// Loaded before a server program that takes only a port: makes it listen on loopback, and print its address.
import { Server } from 'node:net';

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((value) => typeof value === 'function');
  return listen.call(this, Number(port), '127.0.0.1', () => {
    console.error(`listening at http://127.0.0.1:${this.address().port}`);
    callback?.call(this);
  });
};
