// The history of a savings analysis: what was done, by whom and when.
import { Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { EventList } from '#platform/history/HistoryPanel.tsx';
import { Pages } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type Analysis, Savings } from './savings.contract.ts';

const PAGE_SIZE = 30;

export function HistoryTab({ analysis }: { analysis: Analysis }) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...api(Savings).GetAnalysisHistory.query({ id: analysis.id, page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  if (query.error)
    return <ErrorAlert error={query.error} title="The history could not be loaded" onRetry={query.refetch} />;
  const { data } = query;
  if (!data) return <Skeleton height={120} radius="sm" aria-label="Loading" />;
  return (
    <section className="card" aria-label="History">
      <div style={{ padding: 'var(--mantine-spacing-md)' }}>
        {data.records.length === 0 ? (
          <Text size="sm" className="muted" role="status">
            No changes recorded yet.
          </Text>
        ) : (
          <EventList type="savingsAnalysis" events={data.records} />
        )}
      </div>
      <Pages
        {...data}
        rows={data.records}
        page={page}
        pageSize={PAGE_SIZE}
        refreshing={query.isPlaceholderData}
        onPage={setPage}
      />
    </section>
  );
}
