// Maps items to products, mostly by keyboard: items on the left, suggested products with their reasons on the right.
import { Alert, Button, Group, Kbd, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { InputOf } from '#api/endpoint.ts';
import { countOf } from '#shared/count-of.ts';
import { formatDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';
import { Chip } from '#ui/Chip.tsx';
import { Pages } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { FilterSelect } from '#ui/FilterSelect.tsx';
import { useKeys } from '#ui/keys.tsx';
import { KeywordField } from '#ui/ListPage.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import { PageTitle } from '#ui/PageTitle.tsx';
import type { Tone } from '#ui/tones.ts';
import { Products } from '../products.contract.ts';
import { ExactMatchesDialog } from './ExactMatchesDialog.tsx';
import { IgnoreDialog } from './IgnoreDialog.tsx';
import { ItemMapping, MappingState, MOST_PAIRS, type NotMappedItem } from './mapping.contract.ts';
import classes from './mapping.module.css';
import { SuggestionsPanel } from './SuggestionsPanel.tsx';

const PAGE_SIZE = 25;

type Pair = InputOf<typeof ItemMapping.mapGpItemToItmProdDbItem>['pairs'][number];
/** One step that the U key undoes: what was done, and the pairs that undo it. */
type Step = { said: string; pairs: Pair[] };

const TONES: Record<MappingState, Tone> = { Unmapped: 'orange', Suggested: 'blue', Ignored: 'violet', Conflict: 'red' };

export default function MappingPage() {
  const list = useListAddress('item-mapping', { keyword: '', class: '', state: '' }, { field: '', dir: 'asc' });
  const { filters } = list;
  const state = MappingState.options.find((one) => one === filters.state) ?? null;
  const filter = {
    keyword: filters.keyword,
    classId: /^[1-9]\d{0,8}$/.test(filters.class) ? Number(filters.class) : null,
  };
  const asked = { ...filter, state, page: list.page, pageSize: PAGE_SIZE };
  // The list first shows stored suggestions at once. Computed suggestions follow.
  const quick = useQuery({
    ...api(ItemMapping).getNotMappedGpItems.query({ ...asked, suggest: false }),
    placeholderData: keepPreviousData,
  });
  const whole = useQuery({
    ...api(ItemMapping).getNotMappedGpItems.query({ ...asked, suggest: true }),
    enabled: quick.data !== undefined && !quick.isPlaceholderData,
  });
  const choices = useQuery(api(Products).GetProductChoices.query({}));
  /** Items decided on this screen; the list reloads in the background. */
  const [decided, setDecided] = useState<ReadonlyMap<number, number>>(new Map());
  const rows = rowsOf(quick.data?.records, whole.data?.records).filter(
    ({ id, version }) => (decided.get(id) ?? 0) <= version,
  );
  const [activeId, setActiveId] = useState<number | null>(null);
  const index = Math.max(
    0,
    rows.findIndex(({ id }) => id === activeId),
  );
  const active = rows[index];
  const [chosen, setChosen] = useState(0);
  useEffect(() => setChosen(0), [active?.id]);
  const [steps, setSteps] = useState<Step[]>([]);
  const [refused, setRefused] = useState<string[]>([]);
  const [asking, setAsking] = useState<'ignore' | 'exact' | null>(null);
  const items = useRef<HTMLUListElement>(null);
  const narrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false });

  const map = useMutation({ ...api(ItemMapping).mapGpItemToItmProdDbItem.mutation() });
  /** Decides pairs. The next item becomes the active one, and U can undo the step. */
  const decide = async (pairs: Pair[], said: string) => {
    const next = rows[index + 1] ?? rows[index - 1];
    const { results } = await map.mutateAsync({ pairs });
    const done = results.filter(({ outcome }) => outcome !== 'refused');
    setDecided((now) => new Map([...now, ...done.map(({ itemId, version }) => [itemId, version + 1] as const)]));
    setRefused(results.filter(({ outcome }) => outcome === 'refused').map(({ message }) => message));
    if (done.length === 0) return;
    setSteps((now) => [...now, { said, pairs: results.flatMap(({ undo }) => (undo ? [undo] : [])) }]);
    setActiveId(next?.id ?? null);
    focusOn(items.current, next?.id);
  };
  const undo = useMutation({
    mutationFn: async (step: Step) => {
      const results = [];
      for (let at = 0; at < step.pairs.length; at += MOST_PAIRS) {
        const pairs = step.pairs.slice(at, at + MOST_PAIRS);
        results.push(...(await api(ItemMapping).mapGpItemToItmProdDbItem({ pairs })).results);
      }
      return results;
    },
    onSuccess: (results, step) => {
      setSteps((now) => now.filter((one) => one !== step));
      setRefused(results.filter(({ outcome }) => outcome === 'refused').map(({ message }) => message));
      setDecided((now) => new Map([...now].filter(([id]) => !results.some(({ itemId }) => itemId === id))));
      const [first] = results;
      if (first) setActiveId(first.itemId);
      notifications.show({ message: `Taken back: ${step.said}` });
    },
  });
  const busy = map.isPending || undo.isPending;
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
  const last = steps.at(-1);
  const undoLast = () => {
    if (last && !busy) undo.mutate(last);
  };
  const move = (by: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, index + by))];
    if (!next) return;
    setActiveId(next.id);
    focusOn(items.current, next.id);
  };
  const choose = (by: number) =>
    setChosen((now) => Math.max(0, Math.min((active?.suggestions.length ?? 1) - 1, now + by)));
  const mapChosen = () => {
    const suggestion = active?.suggestions[chosen];
    if (active && suggestion) mapTo(active, suggestion.product);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const run = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      ArrowRight: () => choose(1),
      ArrowLeft: () => choose(-1),
      Enter: mapChosen,
    }[event.key];
    if (!run || !(event.target instanceof HTMLElement) || !event.target.matches('[data-item]')) return;
    event.preventDefault();
    run();
  };
  useKeys([
    // These four keys work in the focused list of items; this list only shows them under `?`.
    { key: 'ArrowDown', label: 'Next item; ↑ the one before', run: () => {}, disabled: true },
    { key: 'ArrowRight', label: 'Next suggestion; ← the one before', run: () => {}, disabled: true },
    { key: 'Enter', label: 'Map the item to the chosen suggestion', run: () => {}, disabled: true },
    { key: 'n', label: 'Make a new product of the item', run: makeProduct, disabled: !active },
    { key: 'x', label: 'Leave the item out, with a reason', run: () => setAsking('ignore'), disabled: !active },
    { key: 'u', label: 'Undo', run: undoLast, disabled: !last },
    { key: 'm', label: 'Map all exact matches', run: () => setAsking('exact') },
  ]);
  // The keys work without a click first.
  const isThere = rows.length > 0;
  const focusActive = useEffectEvent(() => {
    if (document.activeElement === document.body) focusOn(items.current, active?.id);
  });
  // Runs only when the list arrives, not when another item becomes active.
  useEffect(() => {
    if (isThere) focusActive();
  }, [isThere]);

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
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} gap="xs">
        <div>
          <Title order={1}>Map Items to Products</Title>
          <Text size="sm" className="muted">
            Items of the ERP without a product, new and best-sold first.
          </Text>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            disabled={!last}
            loading={undo.isPending}
            title={last ? `Undo: ${last.said}` : 'Nothing to undo'}
            onClick={undoLast}
          >
            Undo
          </Button>
          <Button
            variant="default"
            leftSection={<IconChecks size={16} aria-hidden />}
            onClick={() => setAsking('exact')}
          >
            Map all exact matches…
          </Button>
        </Group>
      </Group>
      {refused.length > 0 ? (
        <Alert
          color="orange"
          variant="light"
          title="Not mapped"
          withCloseButton
          closeButtonLabel="Dismiss"
          role="alert"
          onClose={() => setRefused([])}
        >
          {refused.map((message) => (
            <Text size="sm" key={message}>
              {message}
            </Text>
          ))}
        </Alert>
      ) : null}
      <ErrorAlert
        error={map.error ?? undo.error}
        title="That did not work"
        onClose={() => (map.reset(), undo.reset())}
      />
      <div className={classes['columns']}>
        <section className="card" aria-label="Items to map">
          <Group px="md" py="xs" gap="sm" className={classes['filters']}>
            <KeywordField
              label="Item # or description"
              w={220}
              value={filters.keyword}
              onChange={(keyword) => list.filter({ keyword })}
            />
            <FilterSelect
              label="Item class"
              w={180}
              all="All classes"
              choices={choices.data?.classes ?? []}
              value={filters.class}
              onChange={(next) => list.filter({ class: next })}
            />
            <FilterSelect
              label="State"
              w={200}
              all={`To do${counts ? ` (${toDo(counts).toLocaleString('en-US')})` : ''}`}
              choices={MappingState.options.map((value) => ({
                value,
                label: `${value}${counts ? ` (${counts[value].toLocaleString('en-US')})` : ''}`,
              }))}
              value={state ?? ''}
              onChange={(next) => list.filter({ state: next })}
            />
          </Group>
          {quick.data ? (
            rows.length > 0 ? (
              <ul ref={items} className={classes['items']} aria-label="Items" aria-busy={quick.isFetching}>
                {rows.map((item) => (
                  <li key={item.id} data-active={item === active || undefined}>
                    <UnstyledButton
                      data-item={item.id}
                      tabIndex={item === active ? 0 : -1}
                      aria-current={item === active ? 'true' : undefined}
                      className={classes['item']}
                      onKeyDown={onKeyDown}
                      onClick={() => setActiveId(item.id)}
                    >
                      <ItemWords item={item} />
                    </UnstyledButton>
                    {narrow && item === active ? panel(item) : null}
                  </li>
                ))}
              </ul>
            ) : (
              <Text ta="center" py="xl" className="muted" role="status">
                {filters.keyword || filters.class || state ? 'No Record Found' : 'Every item has a product.'}
              </Text>
            )
          ) : quick.error ? (
            <ErrorAlert error={quick.error} title="This list could not be loaded" onRetry={quick.refetch} />
          ) : (
            <Stack p="md" aria-label="Loading">
              {[1, 2, 3, 4, 5, 6].map((n) => (
                <Skeleton key={n} height={44} />
              ))}
            </Stack>
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
      <Text size="xs" className="muted no-print" visibleFrom="md">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> item · <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> suggestion ·{' '}
        <Kbd size="xs">Enter</Kbd> map · <Kbd size="xs">N</Kbd> new product · <Kbd size="xs">X</Kbd> leave out ·{' '}
        <Kbd size="xs">U</Kbd> undo
      </Text>
      {asking === 'ignore' && active ? (
        <IgnoreDialog
          item={active}
          onClose={() => setAsking(null)}
          onIgnore={(ignoreReason) =>
            decide(
              [{ itemId: active.id, version: active.version, productId: null, ignoreReason }],
              `${active.itemNumber} left out`,
            )
          }
        />
      ) : null}
      {asking === 'exact' ? (
        <ExactMatchesDialog
          filter={filter}
          onClose={() => setAsking(null)}
          onMapped={(mapped) => {
            const pairs = mapped.map(({ itemId, version }) => ({ itemId, version, productId: null }));
            setSteps((now) => [...now, { said: countOf(pairs.length, 'exact match', 'exact matches'), pairs }]);
          }}
        />
      ) : null}
    </Stack>
  );
}

/** The quick answer's items, with the suggestions computed since. */
function rowsOf(quick: NotMappedItem[] = [], whole: NotMappedItem[] = []): NotMappedItem[] {
  const worked = new Map(whole.map((item) => [item.id, item]));
  return quick.map((item) => {
    const known = worked.get(item.id);
    return item.suggested || !known || known.version !== item.version ? item : known;
  });
}

function toDo(counts: Record<MappingState, number>): number {
  return counts.Unmapped + counts.Suggested + counts.Conflict;
}

/** Focuses the item's button after the list is drawn, and scrolls it into view. */
function focusOn(list: HTMLUListElement | null, id: number | undefined): void {
  if (id === undefined) return;
  requestAnimationFrame(() => {
    const button = list?.querySelector<HTMLElement>(`[data-item="${id}"]`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: 'nearest' });
  });
}

function ItemWords({ item }: { item: NotMappedItem }) {
  const facts = [
    item.className,
    [item.manufacturer, item.manufacturerNo].filter(Boolean).join(' '),
    item.lastSold ? `sold ${formatDate(item.lastSold)}` : '',
    item.status === 'Active' ? '' : item.status,
  ];
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} className="tabular" style={{ overflowWrap: 'anywhere' }}>
          {item.itemNumber}
          {item.sellingRank === 'NEW' ? ' · NEW' : item.sellingRankNum > 0 ? ` · ${item.sellingRankNum} ★` : ''}
        </Text>
        <Chip tone={TONES[item.state]}>{item.state}</Chip>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {item.description}
      </Text>
      <Text size="xs" className="muted">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {item.note ? (
        <Text size="xs" className="muted" style={{ overflowWrap: 'anywhere' }}>
          {item.state === 'Ignored' ? `Left out: ${item.note}` : item.note}
        </Text>
      ) : null}
    </>
  );
}
