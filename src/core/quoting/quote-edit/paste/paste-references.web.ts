// Uses cross-references for a paste: proposes items for unknown numbers, and remembers numbers for the next paste.
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '#platform/api/client.web.ts';
import { CrossReference, REFERENCE_ROLES } from '#core/catalog/cross-references/cross-references.contract.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import type { PastedLine } from './parse-paste.ts';
import { type Candidate, decidedIn, type Remember, type Row, itemWords } from './paste-rows.ts';
import { type FoundRow, MAX_PROPOSED } from './pasted-row.ts';

/** The quote that receives the rows. */
export type QuoteToFill = { id: number; currnIdx: number; facilityId: number | null };

const NONE: ReadonlyMap<number, Candidate[]> = new Map();

/** Proposes items, by description, for the first rows whose number matches no item. Loads after the other results, so that nobody waits for it. */
export function useProposed(
  lines: readonly PastedLine[],
  result: readonly FoundRow[] | undefined,
): ReadonlyMap<number, Candidate[]> {
  const request = useMemo(
    () =>
      (result?.length === lines.length ? lines : [])
        .flatMap((line, index) => {
          const words = result?.[index]?.state === 'notFound' ? itemWords(line).slice(0, 500) : '';
          return words === '' ? [] : [{ index, words, unit: line.unit.slice(0, 200) }];
        })
        .slice(0, MAX_PROPOSED),
    [lines, result],
  );
  const rows = useMemo(() => request.map(({ words, unit }) => ({ words, unit })), [request]);
  const proposed = useQuery({
    ...api(QuoteEdit).ProposePastedItems.query({ rows }),
    enabled: rows.length > 0,
    staleTime: Infinity,
    meta: { global: 'Suggestions for the unknown item numbers could not be loaded.' },
  });
  const { data } = proposed;
  return useMemo(
    () =>
      data?.length === request.length ? new Map(request.map(({ index }, place) => [index, data[place] ?? []])) : NONE,
    [request, data],
  );
}

const KINDS = ['Same', 'Equivalent'] as const;

/** How numbers may be remembered: for the facility of the quote, and by administrators for all facilities. */
export function useRemembers(quote: QuoteToFill | undefined): readonly Remember[] {
  const user = useSession();
  const forEverybody = user !== null && hasRole(user, ...REFERENCE_ROLES);
  const facilityId = quote?.facilityId ?? null;
  return useMemo(() => {
    if (facilityId === null) return [];
    const scopes = forEverybody ? (['Facility', 'Everybody'] as const) : (['Facility'] as const);
    return scopes.flatMap((scope) => KINDS.map((kind) => ({ kind, scope })));
  }, [facilityId, forEverybody]);
}

/** Stores the choices after the lines are on the quote. If this fails, it shows the error and the lines stay. */
export async function rememberDecided(quote: QuoteToFill, rows: readonly Row[]): Promise<void> {
  const numbers = decidedIn(rows);
  if (numbers.length === 0) return;
  try {
    const { added } = await api(CrossReference).RememberNumbers({ quoteId: quote.id, numbers });
    if (added > 0) notifications.show({ message: `${countOf(added, 'number is', 'numbers are')} remembered.` });
  } catch (error) {
    notifications.show({
      color: 'red',
      message: `The lines were added, but their numbers were not saved: ${(error as Error).message}`,
    });
  }
}
