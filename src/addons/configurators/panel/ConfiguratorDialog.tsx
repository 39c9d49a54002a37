// Lists the items that configurators posted for the quote. The user adds, updates or removes the selected ones, or discards all.
import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { Configurator, type ConfiguratorItem, QuoteConfigurator } from '../configurator.contract.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { allSaved, useBoard } from '#core/quoting/quote-board/state/board.web.ts';
import { ConfiguratorRow } from './ConfiguratorRow.tsx';
import { type Choice, type Choices, isTicked, positionKey, needsReason, wishesOf } from './wishes.ts';

type QuoteItems = OutputOf<typeof QuoteConfigurator.GetDmsConfiguratorItems>;
/** A configuration that waits for the user's decision. */
type PendingConfiguration = QuoteItems['configurations'][number];
/** The list shows this many items at first, and this many more on request. */
const PAGE_SIZE = 200;

type Props = {
  quoteItems: QuoteItems;
  /** The results of the last upload, one sentence per file. */
  results: readonly string[];
  refetch: () => Promise<unknown>;
  onClose: () => void;
};

export function ConfiguratorDialog({ quoteItems, results, refetch, onClose }: Props) {
  const { store, data } = useBoard();
  const [choices, setChoices] = useState<Choices>(new Map());
  const [showsUnchanged, setShowsUnchanged] = useState(false);
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const [reason, setReason] = useState('');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [configurationToDiscard, setConfigurationToDiscard] = useState<PendingConfiguration | null>(null);
  const { items, configurations, editable, mayLeave } = quoteItems;
  const choiceOf = (item: ConfiguratorItem): Choice => choices.get(positionKey(item)) ?? {};
  const listed = showsUnchanged ? items : items.filter(({ change }) => change !== 'same');
  const selectedItems = wishesOf(items, choices);
  const asksReason = items.some((item) => needsReason(item, choiceOf(item)));
  const unchangedCount = items.filter(({ change }) => change === 'same').length;
  const hiddenCount = listed.length - visibleCount;
  const selectAll = (ticked: boolean) =>
    setChoices(
      new Map([...choices, ...listed.map((item) => [positionKey(item), { ...choiceOf(item), ticked }] as const)]),
    );
  const saveItems = async () => {
    setSaving(true);
    setError(null);
    try {
      await allSaved(store);
      const chosen = {
        items: selectedItems,
        priceReason: asksReason ? reason.trim() : '',
        configurations: configurations.map(({ configId, version }) => ({ configId, version })),
      };
      await store.runStep(countOf(selectedItems.length, 'configurator item'), (at) =>
        api(QuoteConfigurator).SaveDmsItemsToQuote({ ...chosen, ...at }),
      );
      await refetch();
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
      // Another user has changed the quote or the items, so the user sees the new state before the next try.
      if (problem instanceof HttpError && problem.status === 409) await refetch();
    }
  };
  return (
    <Modal opened onClose={onClose} closeOnEscape={!configurationToDiscard} title="Configurator items" size="xl">
      <Stack gap="sm">
        <UploadResults results={results} />
        {editable ? null : <Alert color="gray">{quoteItems.reason}</Alert>}
        <Group justify="space-between">
          <Group gap="md">
            {editable ? (
              <Checkbox
                size="sm"
                label="All"
                aria-label="Select all items"
                checked={
                  selectedItems.length > 0 &&
                  listed.every((item) => item.change === 'same' || isTicked(item, choiceOf(item)))
                }
                indeterminate={
                  selectedItems.length > 0 &&
                  listed.some((item) => item.change !== 'same' && !isTicked(item, choiceOf(item)))
                }
                onChange={(event) => selectAll(event.currentTarget.checked)}
              />
            ) : null}
            {unchangedCount > 0 ? (
              <Checkbox
                size="sm"
                label={`Show ${unchangedCount} unchanged`}
                checked={showsUnchanged}
                onChange={(event) => setShowsUnchanged(event.currentTarget.checked)}
              />
            ) : null}
          </Group>
        </Group>
        {listed.length === 0 ? (
          <Text ta="center" py="md" className="muted">
            The quote matches the configurator.
          </Text>
        ) : null}
        {configurations.map((configuration) => {
          const configurationItems = listed
            .slice(0, visibleCount)
            .filter(({ configId }) => configId === configuration.configId);
          if (configurationItems.length === 0) return null;
          return (
            <ConfigurationItems
              key={configuration.configId}
              configuration={configuration}
              busy={saving}
              onDiscard={mayLeave ? () => setConfigurationToDiscard(configuration) : undefined}
            >
              {configurationItems.map((item, index) => (
                <ConfiguratorRow
                  key={`${item.position} ${index}`}
                  item={item}
                  choice={choiceOf(item)}
                  currnIdx={data.quote.currnIdx}
                  disabled={!editable || saving}
                  onChoose={(choice) => setChoices(new Map([...choices, [positionKey(item), choice]]))}
                />
              ))}
            </ConfigurationItems>
          );
        })}
        {hiddenCount > 0 ? (
          <Button variant="default" onClick={() => setVisibleCount(visibleCount + PAGE_SIZE)}>
            {`Show ${Math.min(PAGE_SIZE, hiddenCount)} more (${hiddenCount} remaining)`}
          </Button>
        ) : null}
        {asksReason ? (
          <TextInput
            label="Reason for using configurator prices"
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : null}
        <ErrorAlert error={error} title="Nothing was saved" />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {editable ? (
            <Button
              loading={saving}
              disabled={selectedItems.length === 0 || (asksReason && reason.trim() === '')}
              onClick={() => void saveItems()}
            >
              {selectedItems.some(({ action }) => action !== 'add') ? 'Update quote' : 'Add to quote'} (
              {selectedItems.length})
            </Button>
          ) : null}
        </Group>
      </Stack>
      {configurationToDiscard ? (
        <DiscardConfiguration
          quoteId={data.quote.id}
          configuration={configurationToDiscard}
          onDiscarded={async () => {
            void store.reloadActivity();
            await refetch();
            if (configurations.length === 1) onClose();
          }}
          onRefetch={refetch}
          onClose={() => setConfigurationToDiscard(null)}
        />
      ) : null}
    </Modal>
  );
}

function UploadResults({ results }: { results: readonly string[] }) {
  if (results.length === 0) return null;
  return (
    <Alert color="gray" role="status">
      {results.map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
    </Alert>
  );
}

type ConfigurationProps = {
  configuration: PendingConfiguration;
  busy: boolean;
  /** Undefined if the user may not discard it. */
  onDiscard: (() => void) | undefined;
  /** Its items. */
  children: ReactNode;
};

function ConfigurationItems({ configuration, busy, onDiscard, children }: ConfigurationProps) {
  const { configId, name, postedAt, postedBy, problems } = configuration;
  return (
    <section aria-label={name || `Configuration ${configId}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name || `Configuration ${configId}`}
        </Title>
        {onDiscard ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Discard ${name || `configuration ${configId}`}`}
            disabled={busy}
            onClick={onDiscard}
          >
            Discard…
          </Button>
        ) : null}
      </Group>
      <Text size="xs" className="muted">
        {configId} · {postedBy} · {formatInstant(postedAt)}
        {problems === 0 ? '' : problems === 1 ? ' · 1 row could not be read' : ` · ${problems} rows could not be read`}
      </Text>
      <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>{children}</ul>
    </section>
  );
}

function DiscardConfiguration({
  quoteId,
  configuration: { configId, name, items, version },
  onDiscarded,
  onRefetch,
  onClose,
}: {
  quoteId: number;
  configuration: PendingConfiguration;
  onDiscarded: () => Promise<void>;
  onRefetch: () => Promise<unknown>;
  onClose: () => void;
}) {
  const discard = useMutation({
    mutationFn: () => api(Configurator).DiscardConfiguration({ quoteId, configId, version }),
    onSuccess: async () => {
      onClose();
      await onDiscarded();
    },
    onError: () => void onRefetch(),
  });
  return (
    <ConfirmDialog
      title={`Discard ${name || `configuration ${configId}`}?`}
      action="Discard"
      harmful
      busy={discard.isPending}
      error={discard.error}
      onConfirm={() => discard.mutate()}
      onClose={onClose}
    >
      {`This discards ${items === 1 ? 'the waiting item' : `the ${items.toLocaleString('en-US')} waiting items`}. The quote lines do not change, and the configurator can send the items again.`}
    </ConfirmDialog>
  );
}
