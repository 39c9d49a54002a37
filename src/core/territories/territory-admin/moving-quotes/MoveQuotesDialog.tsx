// Lists open quotes that differ from their facility's assignment today, before and after. Only selected quotes move.
import { Alert, Anchor, Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { MAX_MOVED, type Placed, type QuoteToMove, TerritoryAdmin } from '../territory-admin.contract.ts';
import classes from '../territory-admin.module.css';

const quotesToMove = (territoryId: number | null) => ({
  ...api(TerritoryAdmin).GetQuotesToMove.query({ territoryId }),
  ...READ_ANEW,
});

/**
 * Checks after a change of assignments whether open quotes differ, and if so opens a dialog to choose which ones to move. A null territory checks all
 * quotes. The caller renders `dialog`.
 */
export function useMovingQuotes(territoryId: number | null): {
  check: () => void;
  open: () => void;
  dialog: ReactNode;
} {
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  return {
    open,
    // The dialog reports a failed request and lets the user try again.
    check: () => void queries.fetchQuery(quotesToMove(territoryId)).then(({ total }) => total > 0 && open(), open),
    dialog: opened ? <MoveQuotesDialog territoryId={territoryId} onClose={() => setOpened(false)} /> : null,
  };
}

function MoveQuotesDialog({ territoryId, onClose }: { territoryId: number | null; onClose: () => void }) {
  const query = useQuery(quotesToMove(territoryId));
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const move = useMutation({
    ...api(TerritoryAdmin).MoveQuotes.mutation(),
    onSuccess: ({ moved, left }) => {
      if (moved > 0) notifications.show({ message: `${countOf(moved, 'quote')} moved.` });
      setTicked(new Set());
      if (left.length === 0 && total <= moved) onClose();
    },
  });
  const { quotes = [], total = 0, kept } = query.data ?? {};
  const chosen = quotes.filter(({ id }) => ticked.has(id));
  const left = move.data?.left ?? [];
  const tick = (ids: number[], on: boolean) =>
    setTicked((now) => new Set(on ? [...now, ...ids] : [...now].filter((id) => !ids.includes(id))));

  return (
    <Modal opened onClose={onClose} title="Move open quotes?" size="xl">
      <Stack>
        <ErrorAlert error={query.error} title="The open quotes could not be read" onRetry={query.refetch} />
        {query.isPending ? <Skeleton height={160} aria-label="Loading" /> : null}
        {left.length > 0 ? (
          <Alert color="orange" title="Some quotes could not be moved" role="alert">
            {left.map(({ id, num, why }) => (
              <Text size="sm" key={id}>
                {num > 0 ? `${num}: ${why}` : why}
              </Text>
            ))}
          </Alert>
        ) : null}
        {query.data && total === 0 ? (
          <Text size="sm">Every open quote is already in the territory of its facility. There is nothing to move.</Text>
        ) : null}
        {total > 0 ? (
          <>
            <Text size="sm">
              {countOf(total, 'open quote is', 'open quotes are')} outside the territory their facility belongs to
              today. Nothing moves unless you select it; new quotes follow automatically.
            </Text>
            <Checkbox
              label={total > MAX_MOVED ? `All of the first ${MAX_MOVED}` : `All ${countOf(total, 'quote')}`}
              checked={chosen.length === quotes.length}
              indeterminate={chosen.length > 0 && chosen.length < quotes.length}
              onChange={(event) =>
                tick(
                  quotes.map(({ id }) => id),
                  event.currentTarget.checked,
                )
              }
            />
            <ul className={classes['quotes']} aria-label="Open quotes to move">
              {quotes.map((quote) => (
                <QuoteLine
                  key={quote.id}
                  quote={quote}
                  ticked={ticked.has(quote.id)}
                  onTick={(on) => tick([quote.id], on)}
                />
              ))}
            </ul>
          </>
        ) : null}
        {kept && kept.sent + kept.pending > 0 ? (
          <Text size="sm" className="muted">
            {stayInWords(kept)}
          </Text>
        ) : null}
        <ErrorAlert error={move.error} title="The quotes could not be moved" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {query.data && total === 0 ? 'Close' : 'Leave Them'}
          </Button>
          {total > 0 ? (
            <Button
              loading={move.isPending}
              disabled={chosen.length === 0}
              title={chosen.length === 0 ? 'Select quotes to move' : undefined}
              onClick={() => move.mutate({ quotes: chosen.map(({ id, version }) => ({ id, version })) })}
            >
              {chosen.length === 0 ? 'Move' : `Move ${countOf(chosen.length, 'quote')}`}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Modal>
  );
}

function stayInWords({ sent, pending }: { sent: number; pending: number }): string {
  const parts = [
    sent > 0 ? `${countOf(sent, 'quote')} that ${sent === 1 ? 'is' : 'are'} with the customer` : '',
    pending > 0 ? `${countOf(pending, 'quote')} that ${pending === 1 ? 'waits' : 'wait'} for an approval` : '',
  ];
  return `Not offered: ${parts.filter(Boolean).join(' and ')}. They can be moved once they are revised or decided.`;
}

const PLACES: [keyof Placed, string][] = [
  ['territory', 'Territory'],
  ['region', 'Region'],
  ['salesRep', 'Sales Rep.'],
  ['csRep', 'CS Rep.'],
  ['isRep', 'IS Rep.'],
];

function QuoteLine({ quote, ticked, onTick }: { quote: QuoteToMove; ticked: boolean; onTick: (on: boolean) => void }) {
  const { before, after } = quote;
  const number = quoteNumber(quote.num, quote.revision);
  return (
    <li>
      <Checkbox
        aria-label={`Move ${number}`}
        checked={ticked}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <div className={classes['quote']}>
        <Group gap="0 8px">
          <Anchor href={paths.internalBoard(quote.id)} target="_blank" rel="noopener" fw={600} size="sm">
            {number}
          </Anchor>
          <StatusChip statusId={quote.statusId} />
          <Text size="sm">{quote.facilityName}</Text>
          <Text size="sm" className="muted tabular">
            {formatAmount(quote.totalAmount, quote.currnIdx)}
          </Text>
        </Group>
        {PLACES.filter(([place]) => before[place]?.id !== after[place]?.id).map(([place, label]) => (
          <Text size="sm" key={place}>
            <span className="muted">{label}</span> {before[place]?.name ?? 'none'} → <b>{after[place]?.name}</b>
          </Text>
        ))}
        {quote.why === 'override' ? (
          <Text size="xs" className="muted">
            By an account override
          </Text>
        ) : null}
      </div>
    </li>
  );
}
