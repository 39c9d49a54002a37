// Adds an item to one of the user's open quotes, or starts a new quote with it.
import { Anchor, Button, Group, Modal, Radio, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import type { ItemPrices } from '#core/catalog/items/items.contract.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { formatAmount } from '#platform/shared/money.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { FacilityFilter } from './FacilityFilter.tsx';

const NEW = 'new';

type Props = { item: ItemPrices['item']; qty: number; facilityId: number | null; onClose: () => void };

export function AddToQuoteDialog({ item, qty: initialQty, facilityId: startFacility, onClose }: Props) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useSession();
  const [clientKey] = useState(newKey);
  const [keyword, setKeyword] = useState('');
  const [debouncedKeyword] = useDebouncedValue(keyword.trim(), 250);
  const [target, setTarget] = useState<string | null>(null);
  const [qty, setQty] = useState(String(initialQty));
  const [unit, setUnit] = useState(item.unit);
  const [facilityId, setFacilityId] = useState(startFacility);
  const query = useQuery({
    ...api(QuoteEdit).FindOpenQuotes.query({ keyword: debouncedKeyword }),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const quotes = query.data ?? [];
  const { qty: quantity, problem: qtyProblem } = readQuantity(qty);
  const ready = target !== null && !qtyProblem && (target !== NEW || facilityId !== null);

  const boardOf = (id: number) => boardPath(user ?? { roles: [] }, id);
  const add = useMutation({
    mutationFn: async () => {
      if (quantity === null) throw new Error(qtyProblem);
      const line = { id: 0, type: 'item' as const, itemId: item.id, qty: quantity, unit, clientKey };
      if (target === NEW) {
        const created = await api(QuoteEdit).SaveSalesRepQuote({
          quote: { id: 0, clientKey: `${clientKey}-${facilityId}`, facilityId },
          items: [line],
        });
        return { id: created.quote.id, number: String(created.quote.num), created: true };
      }
      const quote = quotes.find(({ id }) => String(id) === target);
      if (!quote) throw new Error('Choose a quote.');
      await api(QuoteEdit).SaveQuoteItem({ ...line, quoteId: quote.id });
      return { id: quote.id, number: quote.number, created: false };
    },
    meta: { blocking: true },
    onSuccess: ({ id, number, created }) => {
      void client.invalidateQueries({ predicate: ({ queryKey }) => /QuoteSearch|QuoteEdit/.test(String(queryKey[0])) });
      onClose();
      if (created) {
        void navigate({ to: boardOf(id) });
        return;
      }
      notifications.show({
        message: (
          <AddedMessage
            itemNumber={item.itemNumber}
            number={number}
            to={boardOf(id)}
            onOpen={() => void navigate({ to: boardOf(id) })}
          />
        ),
      });
    },
  });

  useKeys([
    { key: 'mod+Enter', label: 'Add to the quote', whileTyping: true, disabled: !ready, run: () => add.mutate() },
  ]);

  return (
    <Modal opened onClose={onClose} title={`Add ${item.itemNumber} to a quote`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) add.mutate();
        }}
      >
        <Stack gap="sm">
          <Group align="flex-start">
            <TextInput
              label="Qty."
              w={110}
              inputMode="decimal"
              autoComplete="off"
              value={qty}
              error={qtyProblem}
              onChange={(event) => setQty(event.currentTarget.value)}
            />
            <Select
              label="Unit"
              w={110}
              allowDeselect={false}
              value={unit}
              data={item.units.map((entry) => entry.unit)}
              onChange={(value) => setUnit(value ?? unit)}
            />
            <TextInput
              data-autofocus
              flex={1}
              miw={200}
              type="search"
              label="Quote"
              placeholder="Quote # or facility"
              value={keyword}
              onChange={(event) => setKeyword(event.currentTarget.value)}
            />
          </Group>
          <ErrorAlert error={query.error} title="Your quotes could not be loaded" onRetry={query.refetch} />
          <Radio.Group value={target} onChange={setTarget} aria-label="Quote to add to">
            <Stack gap={0} mah={{ base: 260, sm: 320 }} style={{ overflowY: 'auto' }} aria-busy={query.isFetching}>
              {query.isPending ? <Skeleton height={108} /> : null}
              {quotes.map((quote) => (
                <QuoteRadio key={quote.id} quote={quote} />
              ))}
              {query.data && quotes.length === 0 ? (
                <Text size="sm" className="muted" py="xs">
                  No Record Found
                </Text>
              ) : null}
            </Stack>
            {/* Below the list rather than in it, so that it stays visible with many open quotes. */}
            <Radio value={NEW} py={6} mt={4} label={<Text size="sm">A new quote</Text>} />
          </Radio.Group>
          {target === NEW ? (
            <FacilityFilter label="Facility" required facilityId={facilityId} onChange={setFacilityId} />
          ) : null}
          <ErrorAlert error={add.error} title="The item was not added" />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" disabled={!ready} loading={add.isPending}>
              {target === NEW ? 'Create quote' : 'Add'}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  );
}

type OpenQuote = OutputOf<typeof QuoteEdit.FindOpenQuotes>[number];

function QuoteRadio({ quote }: { quote: OpenQuote }) {
  return (
    <Radio
      value={String(quote.id)}
      py={6}
      styles={{
        labelWrapper: { flex: 1, minWidth: 0 },
        label: { width: '100%' },
        body: { alignItems: 'center' },
      }}
      label={
        <Group gap={4} justify="space-between">
          <Text size="sm" flex="1 1 220px" miw={0}>
            <span className="tabular" style={{ fontWeight: 600 }}>
              {quote.number}
            </span>{' '}
            {quote.facilityName}
          </Text>
          <Group gap="xs" wrap="nowrap" flex="none" ml="auto">
            <StatusChip statusId={quote.statusId} />
            <Text size="sm" className="figure" miw={90}>
              {formatAmount(quote.totalAmount, quote.currnIdx)}
            </Text>
          </Group>
        </Group>
      }
    />
  );
}

type AddedProps = { itemNumber: string; number: string; to: string; onOpen: () => void };

function AddedMessage({ itemNumber, number, to, onOpen }: AddedProps) {
  return (
    <Text size="sm">
      {itemNumber} is on quote {number}. {/* Notifications render outside the router, where its links do not work. */}
      <Anchor
        href={to}
        underline="always"
        size="sm"
        onClick={(event) => {
          event.preventDefault();
          onOpen();
        }}
      >
        Open it
      </Anchor>
    </Text>
  );
}
