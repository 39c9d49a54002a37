// Makes calls as another program does: over the network, with an API key.
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';

export type CallByKey = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;

/** Calls Quoteboard at this address. Rejects with the server's message if it refuses. */
export function byKey(address: string, key: string): CallByKey {
  return async (endpoint, input) => {
    const answer = await fetch(address + endpoint.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(input),
    });
    const body = (await answer.json()) as { detail?: string };
    if (!answer.ok) throw new Error(body.detail ?? `${endpoint.path} answered ${answer.status}`);
    return body as OutputOf<typeof endpoint>;
  };
}
