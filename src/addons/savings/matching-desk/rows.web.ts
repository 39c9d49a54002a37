// Reads the rows of the bench page by page as they come into sight, so that 20,000 rows are as quick as ten.
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import { Savings, type SavingsRow } from '../savings.contract.ts';

export type RowsAsked = Omit<InputOf<typeof Savings.SearchAnalysisRows>, 'page' | 'pageSize' | 'sort'>;

const ROWS_PER_PAGE = 100;

/** The rows from one index to another, both included, among all rows that are asked for. */
export function useRows(asked: RowsAsked, { from, to }: { from: number; to: number }) {
  // The first page stays asked for, because it says how many rows there are.
  const pages = new Set([1]);
  for (let page = pageOf(from); page <= pageOf(to); page++) pages.add(page);
  const numbers = [...pages];
  const results = useQueries({
    queries: numbers.map((page) => ({
      ...api(Savings).SearchAnalysisRows.query({ ...asked, page, pageSize: ROWS_PER_PAGE }),
      staleTime: 60_000,
    })),
  });
  const byPage = new Map(numbers.map((page, at) => [page, results[at]?.data?.records]));
  const [total, setTotal] = useState<number>();
  const answered = results.find(({ data }) => data)?.data?.total;
  if (answered !== undefined && answered !== total) setTotal(answered);
  const rowAt = (index: number): SavingsRow | undefined =>
    byPage.get(pageOf(index))?.[index - (pageOf(index) - 1) * ROWS_PER_PAGE];
  return {
    total: answered ?? total,
    rowAt,
    /** The index of a loaded row; -1 when it is not among them. */
    indexOf: (id: number) => {
      for (const [page, rows] of byPage) {
        const at = rows?.findIndex((row) => row.id === id) ?? -1;
        if (at >= 0) return (page - 1) * ROWS_PER_PAGE + at;
      }
      return -1;
    },
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const result of results) if (result.error) void result.refetch();
    },
  };
}

const pageOf = (index: number): number => Math.floor(index / ROWS_PER_PAGE) + 1;
