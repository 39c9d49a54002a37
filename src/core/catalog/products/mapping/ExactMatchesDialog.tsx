// Shows the items that match exactly one product by number, and maps them all, a thousand at a time. The user can stop it.
import { Button, Group, Modal, Progress, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ItemMapping } from './mapping.contract.ts';

type Mapped = OutputOf<typeof ItemMapping.MapExactMatches>['mapped'];
type Props = {
  filter: InputOf<typeof ItemMapping.GetExactMatches>;
  onMapped: (mapped: Mapped) => void;
  onClose: () => void;
};

export function ExactMatchesDialog({ filter, onMapped, onClose }: Props) {
  const preview = useQuery({ ...api(ItemMapping).GetExactMatches.query(filter), ...READ_ANEW });
  // Keeps the list from the start, because the query reloads after each thousand.
  const [current, setCurrent] = useState<OutputOf<typeof ItemMapping.GetExactMatches> | null>(null);
  const [done, setDone] = useState(0);
  const stopped = useRef(false);
  const map = useMutation({
    mutationFn: async () => {
      const all: Mapped = [];
      try {
        for (let remaining = 1; remaining > 0 && !stopped.current; ) {
          const step = await api(ItemMapping).MapExactMatches(filter);
          all.push(...step.mapped);
          setDone(all.length);
          remaining = step.mapped.length === 0 ? 0 : step.remaining;
        }
      } finally {
        if (all.length > 0) onMapped(all);
      }
    },
    onMutate: () => setCurrent(preview.data ?? null),
    onSuccess: onClose,
  });
  const data = current ?? preview.data;
  const close = () => {
    stopped.current = true;
    if (!map.isPending) onClose();
  };
  return (
    <Modal opened onClose={close} title="Map all exact matches" size="lg" closeOnClickOutside={false}>
      <Stack>
        {data ? (
          <>
            <Text size="sm" role="status">
              {data.total === 0
                ? 'No item has the manufacturer number of exactly one product.'
                : `${countOf(data.total, 'item has', 'items have')} the manufacturer number of exactly one product.`}
              {data.contested > 0
                ? ` ${countOf(data.contested, 'item has', 'items have')} the number of several products and ${data.contested === 1 ? 'is' : 'are'} left for you to decide.`
                : ''}
            </Text>
            {data.matches.length > 0 ? (
              <ScrollArea.Autosize
                mah={320}
                viewportProps={{ tabIndex: 0, 'aria-label': 'What is mapped', role: 'region' }}
              >
                <table className="list">
                  <thead>
                    <tr>
                      <th>Item</th>
                      <th>Product</th>
                      <th className="figure">Score</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.matches.map((match) => (
                      <tr key={match.itemId}>
                        <td>
                          <b className="tabular">{match.itemNumber}</b> {match.description}
                        </td>
                        <td>{match.product.name}</td>
                        <td className="figure">{match.score}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollArea.Autosize>
            ) : null}
            {data.total > data.matches.length ? (
              <Text size="sm" className="muted">
                and {(data.total - data.matches.length).toLocaleString('en-US')} more
              </Text>
            ) : null}
            {map.isPending ? (
              <Progress value={(done / Math.max(1, data.total)) * 100} aria-label={`${done} of ${data.total} mapped`} />
            ) : null}
          </>
        ) : preview.error ? null : (
          <Skeleton height={200} aria-label="Loading" />
        )}
        <ErrorAlert
          error={map.error ?? preview.error}
          title={map.error ? `Stopped after ${countOf(done, 'item')}` : 'It could not be calculated'}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {map.isPending ? 'Stop' : 'Cancel'}
          </Button>
          <Button
            data-autofocus
            loading={map.isPending}
            disabled={!data || data.total === 0}
            onClick={() => map.mutate()}
          >
            {data && data.total > 0 ? `Map ${countOf(data.total, 'item')}` : 'Map'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
