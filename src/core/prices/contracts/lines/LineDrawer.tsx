// One line of a contract in a drawer: its past, current and future prices by tier, and its own days.
import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { pricesAligned } from '#platform/shared/money.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Contract, type ContractLine, type ContractTier, type TierPrice } from '../contracts.contract.ts';
import { LineDays } from './LineDays.tsx';
import { ContractLineInput } from './line-edit.ts';
import { unitInWords } from './line-words.ts';
import { PriceDialog, RemovePriceDialog } from './PriceDialogs.tsx';

type Props = {
  contractId: number;
  currnIdx: number;
  line: ContractLine;
  /** The tiers whose prices this user can see. */
  tiers: readonly ContractTier[];
  today: string;
  mayEdit: boolean;
  onClose: () => void;
};

export function LineDrawer(props: Props) {
  const { line, tiers, mayEdit } = props;
  const query = useQuery({ ...api(Contract).GetLinePrices.query({ lineId: line.id }), staleTime: 0 });
  return (
    <RecordDrawer onClose={props.onClose} size="lg" title={`${line.itemNumber} in ${line.unit}`}>
      <Stack gap="lg">
        <Text size="sm">
          {line.description} <span className="muted">{unitInWords(line)}</span>
        </Text>
        {query.error ? (
          <ErrorAlert error={query.error} title="The prices could not be loaded" onRetry={query.refetch} />
        ) : null}
        {query.data ? (
          tiers.map((tier) => (
            <TierPrices
              key={tier.id}
              {...props}
              tier={tier}
              prices={query.data.filter(({ tierId }) => tierId === tier.id)}
            />
          ))
        ) : query.error ? null : (
          <Skeleton height={160} aria-label="Loading" />
        )}
        {mayEdit ? <LineForm {...props} /> : null}
      </Stack>
    </RecordDrawer>
  );
}

/** Lists the prices of one tier, latest first. */
function TierPrices({
  line,
  currnIdx,
  today,
  mayEdit,
  tier,
  prices,
}: Props & { tier: ContractTier; prices: TierPrice[] }) {
  const [editing, setEditing] = useState<TierPrice | 'new' | null>(null);
  const [removing, setRemoving] = useState<TierPrice | null>(null);
  const byEach = line.unit !== line.baseUnit;
  const perUnit = pricesAligned(prices);
  const perBase = pricesAligned(prices.map(({ price, perEach }) => ({ price: perEach, agreed: price })));
  const shared = { line, tier, currnIdx };
  return (
    <section aria-label={`Tier ${tier.tierNo}`}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h6">
          {tier.tierNo}. {tier.name}
        </Title>
        {mayEdit ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`New price of tier ${tier.tierNo}`}
            onClick={() => setEditing('new')}
          >
            New price
          </Button>
        ) : null}
      </Group>
      {prices.length === 0 ? (
        <Text size="sm" className="muted">
          No price.
        </Text>
      ) : (
        <Table fz="sm" verticalSpacing={4} horizontalSpacing="xs" aria-label={`Prices of tier ${tier.tierNo}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="figure">Per {line.unit}</Table.Th>
              {byEach ? <Table.Th className="figure">Per {line.baseUnit}</Table.Th> : null}
              <Table.Th>Days</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {prices.toReversed().map((price) => (
              <Table.Tr key={price.id} className={price.to !== null && price.to < today ? 'muted' : ''}>
                <Table.Td className="figure">{perUnit(price.price, currnIdx)}</Table.Td>
                {byEach ? (
                  <Table.Td className="figure">
                    {price.perEach === null ? '–' : perBase(price.perEach, currnIdx, price.price)}
                  </Table.Td>
                ) : null}
                <Table.Td className="tabular">
                  {formatDate(price.from)} – {formatDate(price.to) || 'no end'}
                </Table.Td>
                <Table.Td>
                  <Group gap={4} justify="flex-end">
                    <StateOf price={price} today={today} />
                    {mayEdit && price.from >= today ? (
                      <>
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          aria-label={`Edit the price from ${formatDate(price.from)}`}
                          onClick={() => setEditing(price)}
                        >
                          Edit
                        </Button>
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          color="gray"
                          aria-label={`Remove the price from ${formatDate(price.from)}`}
                          onClick={() => setRemoving(price)}
                        >
                          Remove
                        </Button>
                      </>
                    ) : null}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {editing ? (
        <PriceDialog
          {...shared}
          today={today}
          price={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      ) : null}
      {removing ? (
        <RemovePriceDialog {...shared} price={removing} prices={prices} onClose={() => setRemoving(null)} />
      ) : null}
    </section>
  );
}

function StateOf({ price, today }: { price: TierPrice; today: string }) {
  if (price.from > today) return <Chip tone="blue">Scheduled</Chip>;
  return price.to === null || price.to >= today ? <Chip tone="green">Today</Chip> : null;
}

/** Edits the days of the line, or removes the line. */
function LineForm({ contractId, line, onClose }: Props) {
  const [removing, setRemoving] = useState(false);
  const form = useRecordForm({
    record: {
      id: line.id,
      contractId,
      itemNumber: line.itemNumber,
      unit: line.unit,
      from: line.from ?? '',
      to: line.to ?? '',
      version: line.version,
    },
    schema: ContractLineInput,
    save: (input) => api(Contract).SaveLine(input),
    onSaved: () => {
      notifications.show({ message: `The line of ${line.itemNumber} is saved.` });
      onClose();
    },
  });
  return (
    <section aria-label="Days of the line">
      <Title order={2} size="h6" mb={4}>
        Days of the line
      </Title>
      <RecordForm
        form={form}
        label="Line"
        labels={{ from: 'From', to: 'To' }}
        inWords={(_field, value) => formatDate(typeof value === 'string' ? value : null) || 'as the contract'}
        onCancel={onClose}
        more={
          <Button variant="default" color="red" disabled={form.dirty} onClick={() => setRemoving(true)}>
            Remove line
          </Button>
        }
      >
        <LineDays values={form.values} errors={form.errors} onChange={form.set} />
      </RecordForm>
      {removing ? (
        <RemoveLine contractId={contractId} line={line} onRemoved={onClose} onClose={() => setRemoving(false)} />
      ) : null}
    </section>
  );
}

type RemoveProps = { contractId: number; line: ContractLine; onRemoved: () => void; onClose: () => void };

function RemoveLine({ contractId, line, onRemoved, onClose }: RemoveProps) {
  const removal = useMutation({
    mutationFn: () => api(Contract).SaveLine({ id: line.id, contractId, version: line.version, remove: true }),
    onSuccess: () => {
      notifications.show({ message: `The line of ${line.itemNumber} is removed.` });
      onRemoved();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove the line of ${line.itemNumber}?`}
      action="Remove"
      harmful
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      The line and all its prices are removed. If a quote uses the line, end it instead.
    </ConfirmDialog>
  );
}
