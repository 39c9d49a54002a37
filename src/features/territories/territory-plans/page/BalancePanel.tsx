// Shows how even territories are by a measure, and suggests moves along their borders to even them out; a person accepts or ignores each.
import { Alert, Button, Group, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api } from '#api/client.web.ts';
import { type Balance, PlanHelp, type Share } from '#features/territories/plan-help/plan-help.contract.ts';
import { Territory } from '#features/territories/territories/territories.contract.ts';
import { DOLLAR_INDEX, EURO_INDEX, formatAmount } from '#shared/money.ts';
import type { InputOf } from '#api/endpoint.ts';
import { countOf } from '#shared/count-of.ts';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { usePlan } from './plan.web.ts';
import { NOTHING_SUGGESTED, usePlanView } from './plan-view.web.ts';
import { moneyWords, some } from '../plan-words.ts';

type Asked = InputOf<typeof PlanHelp.balanceSavedMap>;
type Move = Balance['moves'][number];

const MEASURES = [
  { value: 'facilities', label: 'Facilities' },
  { value: 'openValue', label: 'Open quotes (value)' },
  { value: 'won', label: 'Won in 12 months (value)' },
] as const;
const SCOPES = [
  { value: 'both', label: 'ZIPs and account overrides' },
  { value: 'zips', label: 'ZIPs only' },
  { value: 'accounts', label: 'Account overrides only' },
] as const;

const STOPPED: Record<Balance['stopped'], string> = {
  even: 'With all of them the territories are within the tolerance.',
  stuck: 'No further move along a border helps.',
  limit: 'More moves are needed than are suggested at once: accept these, then ask again.',
};

const moveKey = ({ from, to, zips }: Move) => `${from.id} ${to.id} ${zips[0]}`;

export function BalancePanel({ mayEdit }: { mayEdit: boolean }) {
  const { store, moves } = usePlan();
  const { suggest, show } = usePlanView();
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const weighed = useMutation({
    mutationFn: async (asked: Asked) => {
      await store.saved();
      return { asked, ...(await api(PlanHelp).balanceSavedMap(asked)) };
    },
    onSuccess: () => setRefused(new Set()),
  });
  const answer = weighed.data;
  const planned = useMemo(() => new Map(moves.map(({ zip, to }) => [zip, to?.id])), [moves]);
  const open = useMemo(
    () =>
      (answer?.moves ?? []).filter(
        (move) => !refused.has(moveKey(move)) && !move.zips.every((zip) => planned.get(zip) === move.to.id),
      ),
    [answer, refused, planned],
  );
  useEffect(() => {
    const drawn = open.flatMap(({ to, zips }) => zips.map((zip) => [zip, to] as const));
    suggest(drawn.length > 0 ? new Map(drawn) : NOTHING_SUGGESTED);
  }, [open, suggest]);
  useEffect(() => () => suggest(NOTHING_SUGGESTED), [suggest]);

  const written = (value: number) =>
    answer && answer.asked.measure !== 'facilities'
      ? formatAmount(value, answer.asked.currnIdx ?? DOLLAR_INDEX)
      : value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  const accept = (list: readonly Move[]) => {
    for (const together of Map.groupBy(list, ({ to }) => to.id).values()) {
      const [first] = together;
      if (first)
        store.move(
          together.flatMap(({ zips }) => zips),
          first.to,
        );
    }
  };
  return (
    <Stack gap="sm" py="sm">
      <BalanceForm busy={weighed.isPending} onAsk={weighed.mutate} />
      <ErrorAlert error={weighed.error} title="Not worked out" />
      {answer ? (
        <>
          <Text size="sm" px="md" role="status">
            {outcomeWords(answer, open.length)}
          </Text>
          {answer.others.length > 0 ? (
            <Alert color="orange" mx="md" py="xs" role="note">
              <Text size="sm">
                Not counted, because amounts of different currencies are not added: {moneyWords(answer.others)}.
              </Text>
            </Alert>
          ) : null}
          <DataList
            label="How even the territories are"
            columns={sharesIn(written)}
            rows={answer.shares}
            rowKey={({ territory }) => territory.id}
            card={(row) => (
              <Text size="sm">
                <b>{row.territory.name}</b>: {written(row.before)} ({signedPercent(row.offBefore)}) →{' '}
                {written(row.after)} ({signedPercent(row.offAfter)})
              </Text>
            )}
          />
          {open.length > 0 ? (
            <>
              {mayEdit ? (
                <Group px="md" justify="flex-end">
                  <Button variant="default" onClick={() => accept(open)}>
                    Accept All {open.length.toLocaleString('en-US')}
                  </Button>
                </Group>
              ) : null}
              <DataList
                label="Suggested moves"
                columns={movesIn(written, {
                  accept: mayEdit ? (move) => accept([move]) : undefined,
                  show: show && ((move) => show(move.zips)),
                  leave: (move) => setRefused(new Set([...refused, moveKey(move)])),
                })}
                rows={open}
                rowKey={moveKey}
                card={(row) => (
                  <Text size="sm">
                    {countOf(row.zips.length, 'ZIP')}: {row.from.name} → {row.to.name}, brings {written(row.amount)}
                  </Text>
                )}
              />
            </>
          ) : null}
        </>
      ) : null}
    </Stack>
  );
}

function outcomeWords({ asked, moves, stopped }: Balance & { asked: Asked }, open: number): string {
  if (asked.scope === 'accounts') return 'Account overrides do not move with ZIPs, so no move is suggested.';
  if (moves.length === 0) return stopped === 'even' ? 'They are balanced already.' : STOPPED[stopped];
  const suggestions = countOf(moves.length, 'suggestion');
  return `${open === moves.length ? suggestions : `${open} of ${suggestions} left`}. ${STOPPED[stopped]}`;
}

/** What to balance, by which measure. */
function BalanceForm({ busy, onAsk }: { busy: boolean; onAsk: (asked: Asked) => void }) {
  const { loaded } = usePlan();
  const known = useQuery(api(Territory).GetActiveTerritoriesSimpleData.query({}));
  const [chosen, setChosen] = useState(() =>
    loaded.effects.flatMap(({ territory }) => (territory ? [String(territory.id)] : [])),
  );
  const [measure, setMeasure] = useState<Asked['measure']>('facilities');
  const [currnIdx, setCurrency] = useState<NonNullable<Asked['currnIdx']>>(DOLLAR_INDEX);
  const [scope, setScope] = useState<NonNullable<Asked['scope']>>('both');
  const [tolerance, setTolerance] = useState(5);
  const isAmount = measure !== 'facilities';
  const few = chosen.length < 2 ? 'Choose at least two territories' : undefined;
  const submit = () => {
    if (!few && !Number.isNaN(tolerance))
      onAsk({ id: loaded.map.id, territoryIds: chosen.map(Number), measure, currnIdx, scope, tolerance });
  };
  return (
    <Form label="Balance" onSubmit={submit}>
      <Group px="md" align="flex-end" gap="sm">
        <MultiSelect
          label="Territories to balance"
          searchable
          hidePickedOptions
          maw={520}
          miw={280}
          placeholder={chosen.length === 0 ? 'Choose territories' : ''}
          nothingFoundMessage={known.error ? known.error.message : 'No Record Found'}
          data={(known.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={chosen}
          error={few}
          onChange={setChosen}
        />
        <Select
          label="By"
          w={210}
          allowDeselect={false}
          data={MEASURES}
          value={measure}
          onChange={(next) => setMeasure(next ?? 'facilities')}
        />
        {isAmount ? (
          <Select
            label="In"
            w={90}
            allowDeselect={false}
            data={[
              { value: String(DOLLAR_INDEX), label: 'USD' },
              { value: String(EURO_INDEX), label: 'EUR' },
            ]}
            value={String(currnIdx)}
            onChange={(next) => setCurrency(next === String(EURO_INDEX) ? EURO_INDEX : DOLLAR_INDEX)}
          />
        ) : null}
        <Select
          label="Counting"
          w={230}
          allowDeselect={false}
          data={SCOPES}
          value={scope}
          onChange={(next) => setScope(next ?? 'both')}
        />
        <NumberField
          label="Even within (%)"
          w={130}
          min={1}
          max={100}
          decimals={0}
          value={tolerance}
          error={Number.isNaN(tolerance) ? 'This field is required' : undefined}
          onChange={setTolerance}
        />
        <Button type="submit" loading={busy} disabled={few !== undefined}>
          Suggest Moves
        </Button>
      </Group>
    </Form>
  );
}

/** '+12%', '−3%', '0%' */
function signedPercent(off: number): string {
  const rounded = Math.round(off * 100);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)}%`;
}

function sharesIn(written: (value: number) => string): Column<Share>[] {
  return [
    { title: 'Territory', width: 240, render: ({ territory }) => <b>{territory.name}</b> },
    { title: 'By ZIP', figure: true, render: (row) => `${written(row.zipsBefore)} → ${written(row.zipsAfter)}` },
    { title: 'By override', figure: true, render: (row) => written(row.accounts) },
    { title: 'Counted', figure: true, render: (row) => `${written(row.before)} → ${written(row.after)}` },
    {
      title: 'Off the average',
      figure: true,
      render: (row) => `${signedPercent(row.offBefore)} → ${signedPercent(row.offAfter)}`,
    },
  ];
}

type Doing = {
  accept: ((move: Move) => void) | undefined;
  show: ((move: Move) => void) | undefined;
  leave: (move: Move) => void;
};

function movesIn(written: (value: number) => string, { accept, show, leave }: Doing): Column<Move>[] {
  return [
    { title: 'From', width: 200, render: ({ from }) => from.name },
    { title: 'To', width: 200, render: ({ to }) => <b>{to.name}</b> },
    {
      title: 'ZIPs',
      width: 320,
      render: ({ zips }) => (
        <span className="tabular" title={zips.slice(0, 100).join(', ')}>
          <b>{zips.length.toLocaleString('en-US')}</b>: {some(zips)}
        </span>
      ),
    },
    { title: 'Brings', figure: true, render: ({ amount }) => written(amount) },
    {
      title: 'Do',
      render: (move) => (
        <Group gap={6} wrap="nowrap">
          {show ? (
            <Button size="compact-sm" variant="default" aria-label={`Show ${move.zips[0]}`} onClick={() => show(move)}>
              Show
            </Button>
          ) : null}
          {accept ? (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Accept ${move.zips[0]}`}
              onClick={() => accept(move)}
            >
              Accept
            </Button>
          ) : null}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Leave ${move.zips[0]} as it is`}
            onClick={() => leave(move)}
          >
            Leave
          </Button>
        </Group>
      ),
    },
  ];
}
