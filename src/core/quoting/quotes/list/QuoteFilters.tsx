// The filters of Find Quote, which take effect on Submit (specification section 2, Find Quote).
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { dateProblem } from '#platform/shared/dates.ts';
import type { Choice } from '#platform/shared/wire.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { TickChip } from '#platform/ui/ticks.tsx';
import { tonesOf } from '#platform/ui/tones.ts';
import { WRONG_ORDER } from '../quotes.contract.ts';
import { STATUS_COLORS, STATUS_LABELS, STATUSES } from '../status.ts';
import { ChoiceSelect } from './ChoiceSelect.tsx';
import { type Criteria, NO_CRITERIA } from './criteria-address.ts';
import type { Lookups } from './quote-page.web.ts';
import classes from './quotes.module.css';

type Props = {
  /** The current search. The fields follow it. */
  criteria: Criteria;
  lookups: Lookups | undefined;
  searching: boolean;
  onSubmit: (criteria: Criteria) => void;
};

export function QuoteFilters({ criteria, lookups, searching, onSubmit }: Props) {
  const [draft, setDraft] = useState(criteria);
  const [errors, setErrors] = useState(() => dateErrors(criteria));
  const [more, setMore] = useState(false);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const first = useRef<HTMLInputElement>(null);
  const searched = JSON.stringify(criteria);
  useEffect(() => {
    const criteria = JSON.parse(searched) as Criteria;
    setDraft(criteria);
    setErrors(dateErrors(criteria));
  }, [searched]);
  const set = (patch: Partial<Criteria>) => setDraft((now) => ({ ...now, ...patch }));
  const text = (name: 'num' | 'facilityAccountNo' | 'facilityName' | 'itemNum' | 'comment', label: string) => ({
    label,
    value: draft[name],
    maxLength: name === 'num' ? 40 : 200,
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [name]: event.currentTarget.value }),
  });
  const submit = () => {
    const wrong = dateErrors(draft);
    setErrors(wrong);
    if (wrong.dateFrom ?? wrong.dateTo) {
      setMore(true);
      return;
    }
    onSubmit(trimmed(draft));
  };
  useKeys([
    { key: '/', label: 'Go to the filters', run: () => first.current?.select() },
    { key: 'mod+Enter', label: 'Submit', run: submit },
  ]);

  const rest = (
    <>
      <DateField
        label="Date From"
        value={draft.dateFrom}
        error={errors.dateFrom}
        onChange={(dateFrom) => set({ dateFrom })}
      />
      <DateField label="Date To" value={draft.dateTo} error={errors.dateTo} onChange={(dateTo) => set({ dateTo })} />
      <ChoiceSelect
        label="Region"
        choices={lookups?.regions}
        value={draft.regionId}
        onChange={(regionId) => set({ regionId, territoryId: stillIn(lookups, draft.territoryId, regionId) })}
      />
      <ChoiceSelect
        label="Territory"
        choices={territoriesIn(lookups, draft.regionId)}
        value={draft.territoryId}
        onChange={(territoryId) => set({ territoryId })}
      />
      <ChoiceSelect
        label="Sales Rep."
        choices={lookups?.salesReps}
        value={draft.salesRepId}
        onChange={(salesRepId) => set({ salesRepId })}
      />
      <ChoiceSelect
        label="Customer Service Rep."
        choices={lookups?.csReps}
        value={draft.csRepId}
        onChange={(csRepId) => set({ csRepId })}
      />
      <TextInput {...text('comment', 'Text in comments')} />
    </>
  );
  const statuses = <StatusChips chosen={draft.qtStatuses} onChange={(qtStatuses) => set({ qtStatuses })} />;
  const followUp = (
    <TickChip checked={draft.needsFollowUp} onChange={(needsFollowUp) => set({ needsFollowUp })}>
      Needs follow-up
    </TickChip>
  );
  const clear = () => {
    setDraft(NO_CRITERIA);
    onSubmit({ ...NO_CRITERIA, sort: criteria.sort });
  };
  const buttons = (
    <>
      <Button type="submit" loading={searching}>
        Submit
      </Button>
      <Button variant="default" onClick={clear}>
        Clear
      </Button>
    </>
  );
  return (
    <Form label="Filters" onSubmit={submit}>
      <Stack gap="sm" p="md" className="card">
        <div className={classes['filters']}>
          <TextInput ref={first} {...text('num', 'Quote #')} />
          <TextInput {...text('facilityAccountNo', 'Account #')} />
          <TextInput {...text('facilityName', 'Facility Name')} />
          <TextInput {...text('itemNum', 'Item #')} />
          {narrow ? null : (
            <>
              {rest}
              <div className={classes['submit']}>{buttons}</div>
            </>
          )}
        </div>
        {narrow ? (
          <Stack gap="sm" display={more ? undefined : 'none'}>
            <div className={classes['filters']}>{rest}</div>
            {statuses}
            <div>{followUp}</div>
          </Stack>
        ) : (
          <Group justify="space-between" align="end" gap="sm">
            {statuses}
            {followUp}
          </Group>
        )}
        {narrow ? (
          <Group gap="xs">
            {buttons}
            <Button variant="subtle" onClick={() => setMore(!more)} aria-expanded={more}>
              {more ? 'Fewer filters' : 'More filters'}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Form>
  );
}

type StatusChipsProps = {
  chosen: Criteria['qtStatuses'];
  onChange: (chosen: Criteria['qtStatuses']) => void;
};

function StatusChips({ chosen, onChange }: StatusChipsProps) {
  return (
    <fieldset className={classes['statuses']}>
      <legend>Status</legend>
      <Group gap={6}>
        {STATUSES.map((id) => (
          <TickChip
            key={id}
            className={classes['statusChoice']}
            style={tonesOf(STATUS_COLORS[id])}
            checked={chosen.includes(id)}
            onChange={(on) => onChange(STATUSES.filter((status) => (status === id ? on : chosen.includes(status))))}
          >
            <span className={classes['dot']} />
            {STATUS_LABELS[id]}
          </TickChip>
        ))}
      </Group>
    </fieldset>
  );
}

/** The territories of a region. Returns all of them if no region is chosen. */
function territoriesIn(lookups: Lookups | undefined, regionId: number | null): Choice[] | undefined {
  return lookups?.territories.filter(
    (territory) => territory.id === null || regionId === null || territory.regionId === regionId,
  );
}

function stillIn(lookups: Lookups | undefined, territoryId: number | null, regionId: number | null): number | null {
  return territoriesIn(lookups, regionId)?.some((territory) => territory.id === territoryId) ? territoryId : null;
}

function dateErrors({ dateFrom, dateTo }: Criteria): { dateFrom?: string; dateTo?: string } {
  const problem = (date: string) => (date.trim() === '' ? undefined : dateProblem(date));
  const [from, to] = [problem(dateFrom), problem(dateTo)];
  if (from || to) return { ...(from ? { dateFrom: from } : {}), ...(to ? { dateTo: to } : {}) };
  return dateFrom && dateTo && dateTo < dateFrom ? { dateTo: WRONG_ORDER } : {};
}

function trimmed(criteria: Criteria): Criteria {
  const { num, facilityAccountNo, facilityName, itemNum, comment, dateFrom, dateTo } = criteria;
  return {
    ...criteria,
    num: num.trim(),
    facilityAccountNo: facilityAccountNo.trim(),
    facilityName: facilityName.trim(),
    itemNum: itemNum.trim(),
    comment: comment.trim(),
    dateFrom: dateFrom.trim(),
    dateTo: dateTo.trim(),
  };
}
