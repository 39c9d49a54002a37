// The items that configurators left for the quote: ticked ones are added, updated or removed; nothing happens unseen.
import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { OutputOf } from '#api/endpoint.ts';
import { HttpError } from '#api/http-error.ts';
import type { ConfiguratorItem, QuoteConfigurator } from '#features/quoting/configurator/configurator.contract.ts';
import { formatInstant } from '#shared/dates.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { allSaved, useBoard } from '../state/board.web.ts';
import { ConfiguratorRow } from './ConfiguratorRow.tsx';
import { type Choice, type Choices, isTicked, keyOf, needsReason, wishesOf } from './wishes.ts';

type Found = OutputOf<typeof QuoteConfigurator.GetDmsConfiguratorItems>;
/** A quote has at most so many lines, and a screen needs fewer at once. */
const SHOWN = 200;

type Props = { found: Found; readAgain: () => Promise<unknown>; onClose: () => void };

export function ConfiguratorDialog({ found, readAgain, onClose }: Props) {
  const { store, data } = useBoard();
  const [choices, setChoices] = useState<Choices>(new Map());
  const [all, setAll] = useState(false);
  const [most, setMost] = useState(SHOWN);
  const [reason, setReason] = useState('');
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const { items, configurations, editable } = found;
  const choiceOf = (item: ConfiguratorItem): Choice => choices.get(keyOf(item)) ?? {};
  const listed = all ? items : items.filter(({ change }) => change !== 'same');
  const wishes = wishesOf(items, choices);
  const asksReason = items.some((item) => needsReason(item, choiceOf(item)));
  const same = items.filter(({ change }) => change === 'same').length;
  const tick = (ticked: boolean) =>
    setChoices(new Map([...choices, ...listed.map((item) => [keyOf(item), { ...choiceOf(item), ticked }] as const)]));
  const take = async () => {
    setSaving(true);
    setError(null);
    try {
      await allSaved(store);
      await store.takeConfigured({
        items: wishes,
        priceReason: asksReason ? reason.trim() : '',
        configurations: configurations.map(({ configId, version }) => ({ configId, version })),
      });
      await readAgain();
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
      // What was changed meanwhile is looked at before it is tried again.
      if (problem instanceof HttpError && problem.status === 409) await readAgain();
    }
  };
  return (
    <Modal opened onClose={onClose} title="Configurator items" size="xl">
      <Stack gap="sm">
        {editable ? null : <Alert color="gray">{found.reason}</Alert>}
        <Group justify="space-between">
          <Group gap="md">
            {editable ? (
              <Checkbox
                size="sm"
                label="All"
                aria-label="Tick all items"
                checked={
                  wishes.length > 0 && listed.every((item) => item.change === 'same' || isTicked(item, choiceOf(item)))
                }
                indeterminate={
                  wishes.length > 0 && listed.some((item) => item.change !== 'same' && !isTicked(item, choiceOf(item)))
                }
                onChange={(event) => tick(event.currentTarget.checked)}
              />
            ) : null}
            {same > 0 ? (
              <Checkbox
                size="sm"
                label={`Show ${same} unchanged`}
                checked={all}
                onChange={(event) => setAll(event.currentTarget.checked)}
              />
            ) : null}
          </Group>
        </Group>
        {listed.length === 0 ? (
          <Text ta="center" py="md" className="muted">
            The lines are as they were configured.
          </Text>
        ) : null}
        {configurations.map(({ configId, name, postedAt, postedBy, problems }) => {
          const own = listed.slice(0, most).filter((item) => item.configId === configId);
          if (own.length === 0) return null;
          return (
            <section key={configId} aria-label={name || `Configuration ${configId}`}>
              <Title order={3} size="h5">
                {name || `Configuration ${configId}`}
              </Title>
              <Text size="xs" className="muted">
                {configId} · {postedBy} · {formatInstant(postedAt)}
                {problems > 0 ? ` · ${problems} rows not understood` : ''}
              </Text>
              <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
                {own.map((item, index) => (
                  <ConfiguratorRow
                    key={`${item.position} ${index}`}
                    item={item}
                    choice={choiceOf(item)}
                    currnIdx={data.quote.currnIdx}
                    disabled={!editable || saving}
                    onChoose={(choice) => setChoices(new Map([...choices, [keyOf(item), choice]]))}
                  />
                ))}
              </ul>
            </section>
          );
        })}
        {listed.length > most ? (
          <Button variant="default" onClick={() => setMost(most + SHOWN)}>
            Show {Math.min(SHOWN, listed.length - most)} of {listed.length - most} more
          </Button>
        ) : null}
        {asksReason ? (
          <TextInput
            label="Reason for the configurator's prices"
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
              disabled={wishes.length === 0 || (asksReason && reason.trim() === '')}
              onClick={() => void take()}
            >
              {wishes.some(({ action }) => action !== 'add') ? 'Update the quote' : 'Add to quote'} ({wishes.length})
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Modal>
  );
}
