// Maps items to products, mostly by keyboard: items on the left, suggested products with their reasons on the right.
import { Alert, Button, Group, Kbd, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowBackUp, IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { Named } from '#platform/shared/wire.ts';
import { Pages } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { ExactMatchesDialog } from './ExactMatchesDialog.tsx';
import { IgnoreDialog } from './IgnoreDialog.tsx';
import { ItemFilters, Items } from './ItemsToMap.tsx';
import { ItemMapping, MappingState, type NotMappedItem } from './mapping.contract.ts';
import classes from './mapping.module.css';
import { SuggestionsPanel } from './SuggestionsPanel.tsx';
import { useActiveItem } from './use-active-item.web.ts';
import { useDecisions } from './use-decisions.web.ts';

const PAGE_SIZE = 25;

export default function MappingPage() {
  const list = useListAddress('item-mapping', { keyword: '', class: '', state: '' }, { field: '', dir: 'asc' });
  const { filters } = list;
  const state = MappingState.options.find((option) => option === filters.state) ?? null;
  const filter = {
    keyword: filters.keyword,
    classId: /^[1-9]\d{0,8}$/.test(filters.class) ? Number(filters.class) : null,
  };
  const request = { ...filter, state, page: list.page, pageSize: PAGE_SIZE };
  // The list shows stored suggestions at once, and computed suggestions when they arrive.
  const quick = useQuery({
    ...api(ItemMapping).getNotMappedGpItems.query({ ...request, suggest: false }),
    placeholderData: keepPreviousData,
  });
  const whole = useQuery({
    ...api(ItemMapping).getNotMappedGpItems.query({ ...request, suggest: true }),
    enabled: quick.data !== undefined && !quick.isPlaceholderData,
  });
  const decisions = useDecisions();
  const { busy, last } = decisions;
  const rows = withSuggestions(quick.data?.records, whole.data?.records).filter((item) => !decisions.isDecided(item));
  const items = useRef<HTMLUListElement>(null);
  const { active, chosen, next, ...at } = useActiveItem(rows, items);
  const [asking, setAsking] = useState<'ignore' | 'exact' | null>(null);
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });

  /** Decides pairs. The next item becomes the active one. */
  const decide = async (...step: Parameters<typeof decisions.decide>) => {
    if (await decisions.decide(...step)) at.goTo(next);
  };
  const undo = async () => {
    const itemId = await decisions.undo();
    if (itemId !== undefined) at.setActive(itemId);
  };
  const mapTo = (item: NotMappedItem, product: Named) => {
    if (busy) return;
    const pair = { itemId: item.id, version: item.version, productId: product.id };
    void decide([pair], `${item.itemNumber} to ${product.name}`).catch(() => {});
  };
  const makeProduct = () => {
    if (busy || !active) return;
    const pair = { itemId: active.id, version: active.version, productId: 'new' as const };
    void decide([pair], `a new product for ${active.itemNumber}`).catch(() => {});
  };
  const mapChosen = () => {
    const suggestion = active?.suggestions[chosen];
    if (active && suggestion) mapTo(active, suggestion.product);
  };
  useKeys([
    // These four keys work in the focused list of items; this list only shows them under `?`.
    { key: 'ArrowDown', label: 'Next item; ↑ previous', run: () => {}, disabled: true },
    { key: 'ArrowRight', label: 'Next suggestion; ← previous', run: () => {}, disabled: true },
    { key: 'Enter', label: 'Map the item to the chosen suggestion', run: () => {}, disabled: true },
    { key: 'n', label: 'Create a new product from the item', run: makeProduct, disabled: !active },
    { key: 'x', label: 'Leave the item out, with a reason', run: () => setAsking('ignore'), disabled: !active },
    { key: 'u', label: 'Undo', run: () => void undo(), disabled: !last },
    { key: 'm', label: 'Map all exact matches', run: () => setAsking('exact') },
  ]);
  const counts = whole.data && !quick.isPlaceholderData ? whole.data.counts : quick.data?.counts;
  const panel = (item: NotMappedItem) => (
    <SuggestionsPanel
      key={item.id}
      item={item}
      working={whole.isFetching}
      error={whole.error}
      chosen={chosen}
      busy={busy}
      onMap={(product) => mapTo(item, product)}
      onMake={makeProduct}
      onIgnore={() => setAsking('ignore')}
    />
  );

  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <PageTitle>Map Items to Products</PageTitle>
      <Head
        undoes={last?.label}
        isUndoing={decisions.isUndoing}
        onUndo={() => void undo()}
        onExact={() => setAsking('exact')}
      />
      <Refused messages={decisions.refused} onClose={decisions.forgetRefused} />
      <ErrorAlert error={decisions.error} title="Something went wrong" onClose={decisions.forgetError} />
      <div className={classes['columns']}>
        <section className="card" aria-label="Items to map">
          <ItemFilters filters={filters} counts={counts} onChange={list.filter} />
          {quick.data ? (
            rows.length > 0 ? (
              <Items
                ref={items}
                items={rows}
                active={active}
                busy={quick.isFetching}
                onActive={at.setActive}
                onKey={{
                  ArrowDown: () => at.move(1),
                  ArrowUp: () => at.move(-1),
                  ArrowRight: () => at.choose(1),
                  ArrowLeft: () => at.choose(-1),
                  Enter: mapChosen,
                }}
              >
                {narrow && active ? panel(active) : null}
              </Items>
            ) : (
              <Text ta="center" py="xl" className="muted" role="status">
                {filters.keyword || filters.class || state ? 'No Record Found' : 'Every item has a product.'}
              </Text>
            )
          ) : (
            <NotThere error={quick.error} onRetry={quick.refetch} />
          )}
          <Pages {...pageShown(quick, list, PAGE_SIZE)} />
        </section>
        {narrow ? null : (
          <section className={`card ${classes['side']}`} aria-label="Suggestions">
            {active ? (
              panel(active)
            ) : (
              <Text p="md" className="muted">
                {quick.data ? 'Nothing left to map here.' : 'Loading…'}
              </Text>
            )}
          </section>
        )}
      </div>
      <KeyLine />
      <MappingDialogs
        asking={asking}
        active={active}
        filter={filter}
        onDecide={decide}
        onExact={decisions.done}
        onClose={() => setAsking(null)}
      />
    </Stack>
  );
}

type Decisions = ReturnType<typeof useDecisions>;
type DialogsProps = {
  asking: 'ignore' | 'exact' | null;
  active: NotMappedItem | undefined;
  filter: { keyword: string; classId: number | null };
  onDecide: (...step: Parameters<Decisions['decide']>) => Promise<void>;
  onExact: Decisions['done'];
  onClose: () => void;
};

function MappingDialogs({ asking, active, filter, onDecide, onExact, onClose }: DialogsProps) {
  return (
    <>
      {asking === 'ignore' && active ? (
        <IgnoreDialog
          item={active}
          onClose={onClose}
          onIgnore={(ignoreReason) =>
            onDecide(
              [{ itemId: active.id, version: active.version, productId: null, ignoreReason }],
              `${active.itemNumber} left out`,
            )
          }
        />
      ) : null}
      {asking === 'exact' ? (
        <ExactMatchesDialog
          filter={filter}
          onClose={onClose}
          onMapped={(mapped) => {
            const pairs = mapped.map(({ itemId, version }) => ({ itemId, version, productId: null }));
            onExact({ label: countOf(pairs.length, 'exact match', 'exact matches'), pairs });
          }}
        />
      ) : null}
    </>
  );
}

/** The items of the quick answer, with the suggestions that have been computed since. */
function withSuggestions(quick: NotMappedItem[] = [], whole: NotMappedItem[] = []): NotMappedItem[] {
  const worked = new Map(whole.map((item) => [item.id, item]));
  return quick.map((item) => {
    const known = worked.get(item.id);
    return item.suggested || !known || known.version !== item.version ? item : known;
  });
}

function NotThere({ error, onRetry }: { error: Error | null; onRetry: () => unknown }) {
  if (error) return <ErrorAlert error={error} title="This list could not be loaded" onRetry={onRetry} />;
  return (
    <Stack p="md" aria-label="Loading">
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} height={44} />
      ))}
    </Stack>
  );
}

type HeadProps = {
  /** The label of the step that undo reverts. Undefined if there is none. */
  undoes: string | undefined;
  isUndoing: boolean;
  onUndo: () => void;
  onExact: () => void;
};

function Head({ undoes, isUndoing, onUndo, onExact }: HeadProps) {
  return (
    <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
      <div>
        <Title order={1}>Map Items to Products</Title>
        <Text size="sm" className="muted">
          ERP items without a product, new and best-selling first.
        </Text>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          disabled={undoes === undefined}
          loading={isUndoing}
          title={undoes === undefined ? 'Nothing to undo' : `Undo: ${undoes}`}
          onClick={onUndo}
        >
          Undo
        </Button>
        <Button variant="default" leftSection={<IconChecks size={16} aria-hidden />} onClick={onExact}>
          Map all exact matches…
        </Button>
      </Group>
    </Group>
  );
}

function Refused({ messages, onClose }: { messages: readonly string[]; onClose: () => void }) {
  if (messages.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      title="Some items could not be mapped"
      withCloseButton
      closeButtonLabel="Dismiss"
      role="alert"
      onClose={onClose}
    >
      {messages.map((message) => (
        <Text size="sm" key={message}>
          {message}
        </Text>
      ))}
    </Alert>
  );
}

function KeyLine() {
  return (
    <Text size="xs" className="muted no-print" visibleFrom="md">
      <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> item · <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> suggestion ·{' '}
      <Kbd size="xs">Enter</Kbd> map · <Kbd size="xs">N</Kbd> new product · <Kbd size="xs">X</Kbd> leave out ·{' '}
      <Kbd size="xs">U</Kbd> undo
    </Text>
  );
}
