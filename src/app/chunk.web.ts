// Loads a screen's chunk, gives up after 120 seconds, and names a chunk that fails (specification sections 8 and 9).
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';

const CHUNK_TIMEOUT_MS = 120_000;

/** Returns a route component in a separate chunk. `name` is the name of the screen in the error if the chunk cannot be loaded. */
export function chunk(name: string, load: () => Promise<{ default: ComponentType }>): AsyncRouteComponent<object> {
  return lazyRouteComponent(() => loadChunk(name, load));
}

export async function loadChunk<T>(name: string, load: () => Promise<T>, timeout = CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      load(),
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error(`Loading chunk ${name} failed: no answer within ${timeout / 1000} seconds.`)),
          timeout,
        );
      }),
    ]);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Loading chunk')) throw error;
    throw new Error(`Loading chunk ${name} failed. Check the network and reload the page.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
