// Shows the parts of a screen together once each has its height, because a part that appears later would move the others.
import { Skeleton, Stack } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

/** A server that takes longer does not delay the other parts any further. */
const MAX_WAIT_MS = 3000;
/** After a read ends, the next rendering may start another read. */
const BEGINS_MS = 40;

/** The queries that each screen had read when it was last shown. */
const readBefore = new Map<string, string[]>();

/** Returns whether all of them are still cached, so that the user returns to the screen as it was. */
function isAtHand(queries: QueryClient, screen: string): boolean {
  const cache = queries.getQueryCache();
  return readBefore.get(screen)?.every((hash) => cache.get(hash)?.state.data !== undefined) ?? false;
}

type Props = {
  /** Names the screen. */
  screen: string;
  /** Shown from the beginning, such as the title of the screen; the parts render it again. */
  first?: ReactNode;
  children: ReactNode;
};

/** The parts read their data while they are still hidden. */
export function AllAtOnce({ screen, first, children }: Props) {
  const queries = useQueryClient();
  const [isShown, setShown] = useState(() => isAtHand(queries, screen));
  useEffect(() => {
    const cache = queries.getQueryCache();
    if (isShown) {
      return () => {
        const read = cache.findAll({ type: 'active' }).filter(({ state }) => state.data !== undefined);
        readBefore.set(
          screen,
          read.map(({ queryHash }) => queryHash),
        );
      };
    }
    const isReading = () =>
      queries.isFetching({ type: 'active', predicate: ({ state }) => state.data === undefined && !state.error }) > 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      timer = isReading() ? undefined : setTimeout(() => setShown(true), BEGINS_MS);
    };
    const leave = cache.subscribe(look);
    const last = setTimeout(() => setShown(true), MAX_WAIT_MS);
    look();
    return () => {
      leave();
      clearTimeout(timer);
      clearTimeout(last);
    };
  }, [isShown, queries, screen]);
  return (
    <>
      {isShown ? null : (
        <>
          {first}
          <Stack aria-busy mih="100dvh" px={{ base: 'md', sm: 0 }}>
            <Skeleton height={120} />
            <Skeleton height={480} />
          </Stack>
        </>
      )}
      <Stack gap="md" display={isShown ? undefined : 'none'}>
        {children}
      </Stack>
    </>
  );
}
