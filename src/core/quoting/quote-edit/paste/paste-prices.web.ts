// Compares the prices of a paste with ours, and keeps the user's choice.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { currencyOf } from '#platform/shared/money.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import { useReasons } from '../lines/ReasonField.tsx';
import type { PriceChoice, Priced } from './PastePrices.tsx';
import { offerOf, readPrice } from './paste-prices.ts';
import type { Row, TypedPrice } from './paste-rows.ts';

/** How long typing must pause before our prices are read again, in milliseconds. */
const PAUSE = 300;

/** `quote` is where the rows go. Undefined for a template, which has no prices. `title` is the heading of the price column. */
export function usePastePrices(
  rows: readonly Row[] | null,
  title: string,
  quote: { id: number; currnIdx: number } | undefined,
) {
  const [choice, setChoice] = useState<PriceChoice | null>(null);
  const [reason, setReason] = useState('');
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const { remember } = useReasons();
  const currnIdx = quote?.currnIdx ?? 0;
  const currency = currencyOf(currnIdx);
  const read = useMemo(
    () =>
      quote === undefined
        ? []
        : (rows ?? []).flatMap(({ ready, line }, index) =>
            ready && line.price !== '' ? [{ index, row: ready, price: readPrice(line.price, title) }] : [],
          ),
    [rows, title, quote],
  );
  const wanted = useMemo(
    () => [
      ...new Map(
        read.map(({ row: { item, unit, qty } }) => [
          priceKey({ itemId: item.itemId, unit, qty }),
          { itemId: item.itemId, unit, qty },
        ]),
      ).values(),
    ],
    [read],
  );
  const [request] = useDebouncedValue(wanted, PAUSE);
  const ours = useQuery({
    ...api(QuoteEdit).PricePastedItems.query({ quoteId: quote?.id ?? 0, rows: request }),
    enabled: request.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const priced = useMemo((): Priced[] => {
    const known = new Map((ours.data ?? []).map((entry) => [priceKey(entry), entry.unitPrice]));
    return read.map(({ index, row, price }) => ({
      index,
      row,
      ours: known.get(priceKey({ itemId: row.item.itemId, unit: row.unit, qty: row.qty })),
      offer: offerOf(price, row, currency),
    }));
  }, [read, ours.data, currency]);

  const typed = priced.filter(
    ({ index, offer }) => offer.theirs !== null && (choice === 'theirs' || (choice === 'compare' && picked.has(index))),
  );
  return {
    error: ours.error,
    refetch: ours.refetch,
    isOffered: priced.length > 0,
    isComparing: choice === 'compare' && priced.length > 0,
    props: {
      priced,
      currnIdx,
      currency,
      isCurrencySaid: read.some(({ price }) => price.currency !== null),
      choice,
      onChoice: (next: PriceChoice) => {
        setChoice(next);
        setProblem('');
      },
      reason,
      onReason: (next: string) => {
        setReason(next);
        setProblem('');
      },
      picked,
      onPick: setPicked,
      problem,
      first,
    },
    /** The prices to type, by row. Null when something is missing, which the offer then shows. */
    taken: (): ReadonlyMap<number, TypedPrice> | null => {
      const refuse = (why: string) => {
        setProblem(why);
        first.current?.focus();
        return null;
      };
      if (priced.length > 0 && choice === null) return refuse('Choose what to do with these prices first.');
      const priceReason = reason.trim();
      if (typed.length > 0 && priceReason === '') return refuse('Enter a reason for the typed prices.');
      if (typed.length > 0) remember(priceReason);
      return new Map(
        typed.map(({ index, offer: { theirs, typedAs } }) => [
          index,
          { unitPrice: theirs ?? 0, priceReason, ...(typedAs ? { typedAs } : {}) },
        ]),
      );
    },
  };
}

function priceKey({ itemId, unit, qty }: { itemId: number; unit: string; qty: number }): string {
  return `${itemId} ${unit} ${qty}`;
}
