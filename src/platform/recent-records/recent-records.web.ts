// The records that a user recently opened in this browser, newest first. Each user has a separate list.
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { RECENT_RECORDS } from '#platform/auth/sessions/storage.ts';

export type RecentPlace = {
  kind: 'quote' | 'facility' | 'item' | 'contract' | 'person';
  title: string;
  detail: string;
  /** Its address in the browser. */
  place: string;
};

const MOST = 8;
const storageKey = (userId: number) => `${RECENT_RECORDS}${userId}`;

export function recentPlaces(userId: number): RecentPlace[] {
  try {
    return JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]') as RecentPlace[];
  } catch {
    return [];
  }
}

export function keepRecentPlace(userId: number, { kind, title, detail, place }: RecentPlace): void {
  const others = recentPlaces(userId).filter((other) => other.place !== place);
  localStorage.setItem(storageKey(userId), JSON.stringify([{ kind, title, detail, place }, ...others].slice(0, MOST)));
}

/** Stores the page of a record as recently opened. The title is undefined while it is loading. */
export function useRecentPlace(kind: RecentPlace['kind'], title: string | undefined, detail = ''): void {
  const userId = useSession()?.id;
  const { pathname } = useLocation();
  useEffect(() => {
    if (userId !== undefined && title) keepRecentPlace(userId, { kind, title, detail, place: pathname });
  }, [userId, kind, title, detail, pathname]);
}
