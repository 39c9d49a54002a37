// A proxy between browsers and servers: distributes connections like a load balancer, and loses them like a sleeping laptop.
import { once } from 'node:events';
import net from 'node:net';
import { LIVE_PATH } from '#platform/live/live.contract.ts';

export type Balancer = {
  address: string;
  /** Gives new connections to others than this one. */
  leaveOut: (backend: number) => void;
  /** The ports of the servers that streams of changes were opened at, in order. */
  streamsAt: number[];
  /** From now on nothing gets through, and no side notices. */
  fallAsleep: () => void;
  /** New connections get through again. Earlier ones are forgotten: the first that is used never answers, the others are reset. */
  wakeUp: () => void;
  close: () => Promise<void>;
};

/** `ports` are those of the servers. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const left = new Set(ports);
  const pairs = new Map<net.Socket, net.Socket>();
  const streamsAt: number[] = [];
  let turn = 0;
  let isAsleep = false;
  const proxy = net.createServer((client) => {
    client.on('error', () => {});
    const port = [...left][turn++ % left.size];
    if (isAsleep || port === undefined) return void client.destroy();
    const server = net.connect(port, '127.0.0.1');
    pairs.set(client, server);
    server.on('error', () => {});
    server.on('close', () => pairs.has(client) && client.destroy());
    client.on('close', () => {
      pairs.delete(client);
      server.destroy();
    });
    client.on('data', (part) => part.includes(`GET ${LIVE_PATH} `) && streamsAt.push(port));
    client.pipe(server).pipe(client, { end: false });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    address: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`,
    leaveOut: (port) => void left.delete(port),
    streamsAt,
    fallAsleep: () => {
      isAsleep = true;
      let silent: net.Socket | undefined;
      for (const [client, server] of pairs) {
        client.unpipe(server);
        server.unpipe(client);
        client.removeAllListeners('data').on('data', () => (silent ??= client) !== client && client.resetAndDestroy());
        client.resume();
        pairs.delete(client);
        server.destroy();
      }
    },
    wakeUp: () => void (isAsleep = false),
    close: async () => {
      for (const [client] of pairs) client.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
