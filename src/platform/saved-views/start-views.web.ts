// Provides the user's start views before the first list renders: from this browser, then from the server.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { setStartViews } from '#platform/ui/start-view.web.ts';
import { SavedView } from './saved-views.contract.ts';

/** `userId` is null until the user may open lists. */
export function useStartViews(userId: number | null): void {
  const key = `quoteboard.start-views.${userId}`;
  const [stored, setStored] = useState<string | null>(null);
  if (userId !== null && stored !== key) {
    setStored(key);
    setStartViews(new Map(JSON.parse(localStorage.getItem(key) ?? '[]') as [string, string][]));
  }
  const { data } = useQuery({
    ...api(SavedView).GetStartViews.query({}),
    enabled: userId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    const views = data.map(({ screen, address }): [string, string] => [screen, address]);
    localStorage.setItem(key, JSON.stringify(views));
    setStartViews(new Map(views));
  }, [data, key]);
}
