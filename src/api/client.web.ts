// Calls the server by contract: `api(QuoteEdit).SaveQuoteItem(item)`, its query, its mutation, its key.
import type { Contract, Endpoint } from './endpoint.ts';
import { type Received, request, type Sent } from './request.web.ts';

export type Call<E extends Endpoint> = {
  (input: Sent<E>, signal?: AbortSignal): Promise<Received<E>>;
  /** For useQuery: cached under the path and the input. */
  query: (input: Sent<E>) => {
    queryKey: readonly unknown[];
    queryFn: (context: { signal: AbortSignal }) => Promise<Received<E>>;
  };
  /** For useMutation. */
  mutation: () => { mutationFn: (input: Sent<E>) => Promise<Received<E>> };
  /** The first part of every query key of this call, to invalidate them all. */
  key: readonly [string];
};

type Client<C extends Contract> = { [K in keyof C]: Call<C[K]> };

const clients = new WeakMap<Contract, unknown>();

/** The calls of a contract. */
export function api<C extends Contract>(contract: C): Client<C> {
  let client = clients.get(contract) as Client<C> | undefined;
  if (!client) {
    client = Object.fromEntries(
      Object.entries(contract).map(([key, endpoint]) => [key, callOf(endpoint)]),
    ) as Client<C>;
    clients.set(contract, client);
  }
  return client;
}

function callOf<E extends Endpoint>(endpoint: E): Call<E> {
  const call = (input: Sent<E>, signal?: AbortSignal) => request(endpoint, input, signal);
  return Object.assign(call, {
    query: (input: Sent<E>) => ({
      queryKey: [endpoint.path, input] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => request(endpoint, input, signal),
    }),
    mutation: () => ({ mutationFn: (input: Sent<E>) => request(endpoint, input) }),
    key: [endpoint.path] as const,
  });
}
