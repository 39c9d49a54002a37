// A drawer that adds ZIPs to a plan, typed, pasted or by place. It lists every input that is not a ZIP and drops none silently.
import { Button, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { readZips } from '#core/territories/territories/typed-zips.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { US_STATES } from '#platform/shared/us-states.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { type Target, TerritorySelect } from '../page/MoveToDialog.tsx';
import { usePlan } from '../page/plan.web.ts';
import { listSome, territoryWords } from '../plan-words.ts';
import { type FoundZip, PlanZips } from './plan-zips.contract.ts';
import { MAX_MOVES } from '../territory-plans.contract.ts';

type How = 'typed' | 'state' | 'territory';

export function AddZipsDrawer({ onClose }: { onClose: () => void }) {
  const { moves, loaded, store } = usePlan();
  const field = useRef<HTMLTextAreaElement>(null);
  const [how, setHow] = useState<How>('typed');
  const [text, setText] = useState('');
  const [place, setPlace] = useState<{ state: string | null; county: string; territory: Target }>({
    state: null,
    county: '',
    territory: null,
  });
  const [target, setTarget] = useState<Target>(null);
  const [tried, setTried] = useState(false);
  const date = loaded.map.effectiveDay < loaded.today ? loaded.today : loaded.map.effectiveDay;
  const from = place.territory === 'none' ? null : place.territory;
  const search = how === 'state' ? { state: place.state } : { territoryId: from?.id ?? null };
  const placed = useQuery({
    ...api(PlanZips).findZipsToPlan.query({ ...search, date }),
    enabled: (how === 'state' && place.state !== null) || (how === 'territory' && from !== null),
  });
  const to = target === 'none' ? null : target;
  const add = (results: readonly FoundZip[]) => {
    store.move(
      results.map(({ zip }) => zip),
      to,
    );
    onClose();
  };
  const check = useMutation(api(PlanZips).findZipsToPlan.mutation());
  const typed = readZips(text).found;
  const inPlace = (placed.data?.zips ?? []).filter(({ county }) => place.county === '' || county === place.county);
  const count = how === 'typed' ? typed.length : inPlace.length;
  const planned = new Map(moves.map((move) => [move.zip, move]));
  const zips = how === 'typed' ? typed : inPlace.map(({ zip }) => zip);
  const fresh = zips.filter((zip) => !planned.has(zip)).length;
  const again =
    target === null ? [] : zips.filter((zip) => planned.has(zip) && planned.get(zip)?.to?.id !== (to?.id ?? undefined));
  const problem =
    count === 0
      ? how === 'typed'
        ? 'Type or paste at least one ZIP'
        : 'Choose a state or territory'
      : moves.length + fresh > MAX_MOVES
        ? `A plan can have at most ${countOf(MAX_MOVES, 'move')}.`
        : undefined;

  return (
    <RecordDrawer title="Add ZIPs" onClose={onClose}>
      <Form
        label="Add ZIPs"
        onSubmit={() => {
          setTried(true);
          if (problem || target === null || check.isPending) return;
          if (how === 'typed')
            check.mutate(
              { text, date },
              { onSuccess: (answer) => answer.unknown.length + answer.bad.length === 0 && add(answer.zips) },
            );
          else add(inPlace);
        }}
      >
        <Stack>
          <SegmentedControl
            aria-label="Which ZIPs"
            data={[
              { value: 'typed', label: 'List of ZIPs' },
              { value: 'state', label: 'State or county' },
              { value: 'territory', label: 'Territory' },
            ]}
            value={how}
            onChange={(next) => setHow(next)}
          />
          {how === 'typed' ? (
            <Textarea
              ref={field}
              label="ZIPs"
              description="Type or paste one or more ZIPs. Only the first five digits of ZIP+4 are used."
              required
              data-autofocus
              autosize
              minRows={4}
              maxRows={14}
              value={text}
              error={tried ? problem : undefined}
              onChange={(event) => {
                check.reset();
                setText(event.currentTarget.value);
              }}
            />
          ) : null}
          {how === 'state' ? (
            <PlaceFields
              found={placed.data?.zips}
              tried={tried}
              state={place.state}
              county={place.county}
              onChange={(patch) => setPlace({ ...place, ...patch })}
            />
          ) : null}
          {how === 'territory' ? (
            <TerritorySelect
              label="All ZIPs in"
              withNone={false}
              value={place.territory}
              error={tried && !from ? 'Choose the territory' : undefined}
              onChange={(territory) => setPlace({ ...place, territory })}
            />
          ) : null}
          <TerritorySelect
            value={target}
            error={tried && target === null ? 'Choose the territory' : undefined}
            onChange={setTarget}
          />
          <WhatIsAdded
            count={count}
            fresh={fresh}
            holders={how === 'state' ? holdersInWords(inPlace) : ''}
            isEmpty={how !== 'typed' && placed.data !== undefined && count === 0}
            again={again}
            to={to}
          />
          {check.data ? (
            <NotZips
              {...check.data}
              onLeaveOut={(out) => {
                check.reset();
                setText(without(text, out));
                field.current?.focus();
              }}
            />
          ) : null}
          <ErrorAlert
            error={check.error ?? (how === 'typed' ? null : placed.error)}
            title="The ZIPs could not be loaded"
          />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={check.isPending}>
              {count === 0 ? 'Add' : `Add ${countOf(count, 'ZIP')}`}
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </RecordDrawer>
  );
}

type AddedProps = {
  count: number;
  /** The number of ZIPs that are not in the plan yet. */
  fresh: number;
  /** The current territories of the ZIPs of a state. '' if not shown. */
  holders: string;
  isEmpty: boolean;
  /** ZIPs that the plan already moves to another territory. */
  again: readonly string[];
  to: Exclude<Target, 'none'>;
};

function WhatIsAdded({ count, fresh, holders, isEmpty, again, to }: AddedProps) {
  return (
    <Stack gap={4} role="status">
      {count > 0 ? (
        <Text size="sm">
          <b>{countOf(count, 'ZIP')}</b>
          {fresh < count ? `, ${(count - fresh).toLocaleString('en-US')} already in the plan` : ''}
          {holders ? ` with ${holders}` : ''}.
        </Text>
      ) : null}
      {isEmpty ? <Text size="sm">No ZIPs found.</Text> : null}
      {again.length > 0 ? (
        <Text size="sm" className="warning">
          Planned for another territory. They will move to {territoryWords(to)} instead: {listSome(again)}
        </Text>
      ) : null}
    </Stack>
  );
}

type PlaceProps = {
  /** The ZIPs of the state. Undefined until they are read. */
  found: readonly FoundZip[] | undefined;
  tried: boolean;
  state: string | null;
  /** '' means the whole state. */
  county: string;
  onChange: (patch: { state?: string | null; county: string }) => void;
};

function PlaceFields({ found, tried, state, county, onChange }: PlaceProps) {
  const counties = countiesOf(found ?? []);
  return (
    <>
      <Select
        label="State"
        required
        searchable
        nothingFoundMessage="No Record Found"
        data={US_STATES.map(({ name, abbreviation }) => ({ value: abbreviation, label: name }))}
        value={state}
        error={tried && !state ? 'Choose the state' : undefined}
        onChange={(next) => onChange({ state: next, county: '' })}
      />
      <Select
        label="County"
        searchable
        disabled={counties.length === 0}
        {...(found && counties.length === 0 ? { description: 'The list of ZIPs has no counties for this state.' } : {})}
        nothingFoundMessage="No Record Found"
        allowDeselect={false}
        data={[{ value: '', label: 'Whole state' }, ...counties]}
        value={county}
        onChange={(next) => onChange({ county: next ?? '' })}
      />
    </>
  );
}

/** Lists typed text that is not a ZIP. The drawer adds nothing until the user corrects or removes it. */
function NotZips({
  unknown,
  bad,
  onLeaveOut,
}: {
  unknown: string[];
  bad: string[];
  onLeaveOut: (words: ReadonlySet<string>) => void;
}) {
  if (unknown.length + bad.length === 0) return null;
  return (
    <ErrorAlert
      error={[
        bad.length > 0 ? `Not ZIPs: ${listSome(bad)}` : '',
        unknown.length > 0 ? `Unknown ZIPs: ${listSome(unknown)}` : '',
      ]
        .filter(Boolean)
        .join('\n')}
      title="ZIPs not added"
    >
      <Button mt="xs" variant="default" onClick={() => onLeaveOut(new Set([...unknown, ...bad]))}>
        Remove {unknown.length + bad.length === 1 ? 'it' : 'them'}
      </Button>
    </ErrorAlert>
  );
}

function without(text: string, out: ReadonlySet<string>): string {
  const words = text.split(/([\s,;]+)/);
  return words.filter((word) => !out.has(word) && !out.has(readZips(word).found[0] ?? '')).join('');
}

function countiesOf(zips: readonly FoundZip[]): { value: string; label: string }[] {
  const counties = Map.groupBy(zips, ({ county }) => county);
  return [...counties]
    .filter(([county]) => county !== '')
    .map(([county, { length }]) => ({ value: county, label: `${county} (${countOf(length, 'ZIP')})` }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}

/** '90 Omaha, 12 Lincoln, 3 No territory' */
function holdersInWords(zips: readonly FoundZip[]): string {
  const holders = [...Map.groupBy(zips, ({ territory }) => territoryWords(territory))].map(
    ([name, { length }]) => [name, length] as const,
  );
  return listSome(
    holders.toSorted((a, b) => b[1] - a[1]).map(([name, count]) => `${name} (${count.toLocaleString('en-US')})`),
  );
}
