// Calls the server by contract, as in `api(QuoteEdit).SaveQuoteItem(item)`, and builds the query, mutation and query key of each call.
import type { Contract, Endpoint } from './endpoint.ts';
import { read, request, type Sent } from './request.web.ts';

type Client<C extends Contract> = { [K in keyof C]: ReturnType<typeof callOf<C[K]>> };

const clients = new WeakMap<Contract, unknown>();

/** Returns the calls of a contract. */
export function api<C extends Contract>(contract: C): Client<C> {
  if (!clients.has(contract)) {
    const calls = Object.entries(contract).map(([key, endpoint]) => [key, callOf(endpoint)]);
    clients.set(contract, Object.fromEntries(calls));
  }
  return clients.get(contract) as Client<C>;
}

function callOf<E extends Endpoint>(endpoint: E) {
  const call = (input: Sent<E>, signal?: AbortSignal, onProgress?: (share: number) => void) =>
    request(endpoint, input, signal, onProgress);
  return Object.assign(call, {
    /** Options for useQuery. The answer is cached under the path and the input. */
    query: (input: Sent<E>) => ({
      queryKey: [endpoint.path, input] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => read(endpoint, input, signal),
    }),
    /** Options for useMutation. */
    mutation: () => ({ mutationFn: (input: Sent<E>) => request(endpoint, input) }),
    /** The first part of every query key of this call. Invalidating it invalidates all its queries. */
    key: [endpoint.path] as const,
  });
}

/** Options of a query whose answer the user is about to change or confirm. It is read at each opening and dropped at closing. */
export const READ_ANEW = { staleTime: 0, gcTime: 0 } as const;
