// Requests a tier of a contract: which tier, why, for which lines, from which day, and with what note.
import {
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  Radio,
  ScrollArea,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError, withoutFieldErrors } from '#platform/api/http-error.ts';
import { Eligibility, type RequestOption } from '../eligibility.contract.ts';
import { STATE_LABELS } from '../request-steps.ts';
import { tierOfContract } from '../request-words.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import type { PriceRequestProps } from '#core/quoting/quote-board/doors.web.ts';
import { allSaved, useBoard } from '#core/quoting/quote-board/state/board.web.ts';

/** The fields that can show errors from the server. */
const FIELDS = ['tierId', 'wantedFrom', 'note'];

const tierKey = (option: RequestOption) => String(option.tier.id);

export default function RequestDialog({ start, onClose }: PriceRequestProps) {
  const { data, store } = useBoard();
  const { quote } = data;
  const query = useQuery({
    ...api(Eligibility).Options.query({ quoteId: quote.id }),
    enabled: quote.facilityId !== null,
    staleTime: 0,
  });
  const options = (query.data?.options ?? []).filter(
    ({ lineIds }) => start.lineId === undefined || lineIds.includes(start.lineId),
  );
  const [tier, setTier] = useState(start.tierId === undefined ? '' : String(start.tierId));
  const chosen = options.find((option) => tierKey(option) === tier && !option.open?.joined);
  const [unticked, setUnticked] = useState<ReadonlySet<number>>(new Set());
  const lineIds = (chosen?.lineIds ?? []).filter((id) => !unticked.has(id));
  const [typedDay, setTypedDay] = useState<string | null>(null);
  const today = query.data?.today ?? quote.quoteDate;
  const wantedFrom = typedDay ?? (quote.quoteDate > today ? quote.quoteDate : today);
  const [note, setNote] = useState('');
  const ask = useMutation({
    mutationFn: async ({ draft }: { draft: boolean }) => {
      if (!chosen) throw new HttpError(422, 'Choose a contract and tier.');
      const { quote: saved } = await allSaved(store);
      return api(Eligibility).Request({
        quoteId: saved.id,
        version: saved.version,
        contractId: chosen.contract.id,
        tierId: chosen.tier.id,
        lineIds,
        wantedFrom,
        note,
        draft,
      });
    },
    onSuccess: async (request) => {
      notifications.show({ message: request.text, autoClose: 8000 });
      onClose();
      await store.reload();
    },
    // Another user changed the quote, so this loads the newest state and keeps the user's input.
    onError: () => store.reload(),
  });
  const askOnce = useOnce(ask.mutateAsync);
  const refused = ask.error instanceof HttpError ? ask.error.errors : undefined;
  const errorOf = (path: string) => refused?.find((candidate) => candidate.path === path)?.message;
  const ready = chosen !== undefined && lineIds.length > 0;
  return (
    <Modal opened onClose={onClose} title="Request a contract price" size="lg">
      <Form label="Request a contract price" onSubmit={() => (ready ? askOnce({ draft: false }) : undefined)}>
        <Stack>
          {quote.facilityId === null ? (
            <Text size="sm">Choose a facility for the quote first. Contracts apply to facilities.</Text>
          ) : query.error ? (
            <ErrorAlert error={query.error} title="The contracts could not be loaded">
              <Button mt="xs" size="xs" variant="default" onClick={() => void query.refetch()}>
                Try again
              </Button>
            </ErrorAlert>
          ) : !query.data ? (
            <Skeleton height={180} aria-label="Loading" />
          ) : (
            <>
              <Excluded contracts={query.data.excluded} facility={quote.facilityName} />
              {options.length === 0 ? (
                <Text size="sm" role="status">
                  {start.lineId === undefined
                    ? 'No contract that you can request offers a different price for these items.'
                    : 'No contract that you can request offers a different price for this item.'}
                </Text>
              ) : (
                <Radio.Group label="Contract and tier" value={tier} onChange={setTier} error={errorOf('tierId')}>
                  <Stack gap="xs" mt={4}>
                    {options.map((option) => (
                      <OptionCard key={tierKey(option)} option={option} currnIdx={quote.currnIdx} />
                    ))}
                  </Stack>
                </Radio.Group>
              )}
              {query.data.more > 0 ? (
                <Text size="xs" className="muted">
                  {countOf(query.data.more, 'more is', 'more are')} not shown.
                </Text>
              ) : null}
            </>
          )}
          {chosen ? (
            <>
              <LinesToTick
                lineIds={chosen.lineIds}
                unticked={unticked}
                onChange={setUnticked}
                error={lineIds.length === 0 ? 'Choose at least one line.' : undefined}
              />
              <DateField
                label="Requested start"
                required
                maw={200}
                value={wantedFrom}
                error={errorOf('wantedFrom')}
                onChange={setTypedDay}
              />
              <Textarea
                label="Note"
                description="Information for the contract department"
                autosize
                minRows={2}
                maxRows={8}
                maxLength={2000}
                value={note}
                error={errorOf('note')}
                onChange={(event) => setNote(event.currentTarget.value)}
              />
            </>
          ) : null}
          <ErrorAlert
            error={withoutFieldErrors(ask.error, (path) => FIELDS.includes(path))}
            title="The request could not be sent"
          />
          <DialogButtons onCancel={onClose}>
            {chosen ? (
              <Button
                variant="default"
                disabled={!ready}
                loading={ask.isPending && ask.variables.draft}
                onClick={() => askOnce({ draft: true })}
              >
                Save as draft
              </Button>
            ) : null}
            <Button type="submit" disabled={!ready} loading={ask.isPending && !ask.variables.draft}>
              Send request
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}

const KINDS: Record<RequestOption['kind'], string> = {
  NotOnRoster: 'Not on the roster',
  NeedsLetter: 'Letter of commitment missing',
  OtherTier: 'Another tier',
};

function OptionCard({ option, currnIdx }: { option: RequestOption; currnIdx: number }) {
  const { contract, tier, open, total, saving } = option;
  const joined = open?.joined ?? false;
  const needs = [
    tier.requirement ? `Needs: ${tier.requirement}.` : '',
    tier.needsLoc && !/letter of commitment/i.test(tier.requirement) ? 'Needs a letter of commitment.' : '',
  ].filter(Boolean);
  return (
    <Radio.Card value={tierKey(option)} p="sm" disabled={joined} aria-label={tierOfContract(option)}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator mt={2} disabled={joined} />
        <Stack gap={2} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {tierOfContract(option)}
            </Text>
            <Badge variant="light" tt="none">
              {KINDS[option.kind]}
            </Badge>
          </Group>
          <Text size="xs" className="muted">
            {[contract.gpo || 'Local agreement', contract.title].filter(Boolean).join(' · ')}
          </Text>
          {needs.length > 0 ? <Text size="xs">{needs.join(' ')}</Text> : null}
          <Text size="sm" className="tabular">
            {option.lineIds.length === 1 ? '1 line' : `${option.lineIds.length} lines`}
            {total === null || saving === null
              ? ''
              : ` · total ${formatAmount(total, currnIdx)}, ${
                  saving > 0 ? `${formatAmount(saving, currnIdx)} less` : 'including prices for lines that have none'
                }`}
          </Text>
          {option.needsMembershipIn ? (
            <Text size="xs">
              The facility needs a primary membership in {option.needsMembershipIn} before these prices apply.
            </Text>
          ) : null}
          <Text size="xs" className="muted">
            {joined
              ? `This quote is already waiting for this tier (${STATE_LABELS[open?.state ?? 'Requested'].toLowerCase()}).`
              : open
                ? `Already requested (${STATE_LABELS[open.state].toLowerCase()}). This quote will be added to the request.`
                : tier.provisionalAllowed && !option.needsMembershipIn
                  ? 'The quote shows the price as provisional right away.'
                  : 'The quote gets the price when the request is approved.'}
          </Text>
        </Stack>
      </Group>
    </Radio.Card>
  );
}

function Excluded({ contracts, facility }: { contracts: readonly { number: string }[]; facility: string }) {
  if (contracts.length === 0) return null;
  return (
    <Text size="sm">
      {facility} is excluded from {contracts.map(({ number }) => number).join(', ')}.
    </Text>
  );
}

type LinesProps = {
  lineIds: readonly number[];
  unticked: ReadonlySet<number>;
  onChange: (unticked: ReadonlySet<number>) => void;
  error: string | undefined;
};

function LinesToTick({ lineIds, unticked, onChange, error }: LinesProps) {
  const { items } = useBoard();
  const lines = items.filter(({ id }) => lineIds.includes(id));
  const toggle = (id: number) => {
    const next = new Set(unticked);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <Checkbox.Group label="Lines to price" error={error} value={lineIds.filter((id) => !unticked.has(id)).map(String)}>
      <ScrollArea.Autosize mah={160} type="auto" mt={4}>
        <Stack gap={6}>
          {lines.map((line) => (
            <Checkbox
              key={line.id}
              value={String(line.id)}
              label={`${line.lineNo}. ${line.itemNumber} ${line.description}, ${line.qty.toLocaleString('en-US')} ${line.unit}`}
              onChange={() => toggle(line.id)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}
