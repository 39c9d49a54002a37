// The part of autocannon that the measurement uses: many connections, each sending a request after the answer to its last one.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  type Request = { method?: string; path?: string; headers?: Record<string, string>; body?: string };
  type Options = {
    url: string;
    connections: number;
    duration: number;
    timeout?: number;
    requests: { setupRequest: (request: Request) => Request }[];
  };
  type Result = { errors: number; timeouts: number; non2xx: number; duration: number };
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): EventEmitter;
}
