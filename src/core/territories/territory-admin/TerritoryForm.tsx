// The form of a territory: name, region, and dated representatives.
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { PersonSelect } from '#platform/users/PersonSelect.tsx';
import {
  TERRITORY_ROLE_FITS,
  TERRITORY_ROLE_LABELS,
  TERRITORY_ROLES,
  type TerritoryRole,
} from '#core/territories/territories/territory-roles.ts';
import { addDays, formatDate, parseDate } from '#platform/shared/dates.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import {
  type Rep,
  TerritoryAdmin,
  type TerritoryEdit,
  type TerritoryEditData,
  TerritoryInput,
} from './territory-admin.contract.ts';
import classes from './territory-admin.module.css';

type Props = { edit: TerritoryEditData; onSaved: (saved: TerritoryEdit) => void; onCancel?: () => void };

export function TerritoryForm({ edit, onSaved, onCancel }: Props) {
  const form = useRecordForm({
    record: edit.territory,
    schema: TerritoryInput,
    save: (territory) => api(TerritoryAdmin).SaveTerritory(territory),
    onSaved,
  });
  const { values, errors, set } = form;
  return (
    <RecordForm
      form={form}
      label="Territory"
      labels={{ name: 'Name', regionId: 'Region', reps: 'Representatives' }}
      inWords={(field, value) =>
        field === 'reps'
          ? (value as Rep[]).map(repInWords).join('; ') || '–'
          : field === 'regionId'
            ? (edit.regions.find(({ id }) => id === value)?.name ?? '–')
            : undefined
      }
      {...(onCancel ? { onCancel } : {})}
    >
      <TextInput
        label="Name"
        required
        data-autofocus={edit.territory.id === 0 ? true : undefined}
        maxLength={100}
        value={values.name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label="Region"
        required
        searchable
        allowDeselect={false}
        placeholder="Choose the region"
        nothingFoundMessage="No Record Found"
        data={edit.regions.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={values.regionId ? String(values.regionId) : null}
        error={errors['regionId']}
        onChange={(id) => set({ regionId: Number(id) })}
      />
      {TERRITORY_ROLES.map((role) => (
        <RepsOfRole
          key={role}
          role={role}
          reps={values.reps}
          stored={edit.territory.reps}
          today={edit.today}
          errors={errors}
          onChange={(reps) => set({ reps })}
        />
      ))}
      {errors['reps'] ? (
        <Text size="sm" c="red" role="alert">
          {errors['reps']}
        </Text>
      ) : null}
    </RecordForm>
  );
}

function repInWords(rep: Rep): string {
  const to = rep.to ? ` to ${formatDate(rep.to)}` : '';
  return `${TERRITORY_ROLE_LABELS[rep.role]} ${rep.userName} from ${formatDate(rep.from)}${to}`;
}

type RoleProps = {
  role: TerritoryRole;
  reps: Rep[];
  stored: readonly Rep[];
  today: string;
  errors: Record<string, string>;
  onChange: (reps: Rep[]) => void;
};

function RepsOfRole({ role, reps, stored, today, errors, onChange }: RoleProps) {
  const [earlier, setEarlier] = useState(false);
  const mine = reps.flatMap((rep, index) => (rep.role === role ? [{ rep, index }] : []));
  // Uses the stored last day, so that an entry stays visible while the user types a new one.
  const isOver = ({ id }: Rep) => stored.some((rep) => rep.id === id && rep.to !== '' && rep.to < today);
  const over = mine.filter(({ rep }) => isOver(rep));
  const visible = earlier ? mine : mine.filter(({ rep }) => !isOver(rep));
  const label = TERRITORY_ROLE_LABELS[role];

  function change(index: number, patch: Partial<Rep>) {
    const before = reps[index];
    if (!before) return;
    const from = patch.from === undefined ? null : parseDate(patch.from);
    const until = parseDate(before.from) ? addDays(before.from, -1) : null;
    onChange(
      reps.map((rep, at) => {
        if (at === index) return { ...rep, ...patch };
        // A new first day of the successor changes the predecessor's last day.
        return from && rep.role === role && rep.to !== '' && rep.to === until && !isOver(rep)
          ? { ...rep, to: addDays(from, -1) }
          : rep;
      }),
    );
  }

  /** Adds an entry that begins today. A previous representative without an end ends yesterday. */
  function add() {
    const givenWay = reps.map((rep) =>
      rep.role === role && rep.to === '' && rep.from < today ? { ...rep, to: addDays(today, -1) } : rep,
    );
    onChange([{ id: 0, role, userId: 0, userName: '', from: today, to: '' }, ...givenWay]);
  }

  return (
    <Stack component="section" gap={6} aria-label={label}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          {label}
        </Text>
        <Group gap={4}>
          {over.length > 0 ? (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setEarlier(!earlier)}>
              {earlier ? 'Hide earlier' : `${over.length} earlier`}
            </Button>
          ) : null}
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            aria-label={`Add ${label}`}
            onClick={add}
          >
            Add
          </Button>
        </Group>
      </Group>
      {visible.length === 0 ? (
        <Text size="sm" className="muted">
          Nobody
        </Text>
      ) : null}
      {visible.map(({ rep, index }) => (
        <RepRow
          key={rep.id || `new-${reps.length - index}`}
          rep={rep}
          begun={stored.some((candidate) => candidate.id === rep.id && candidate.from <= today)}
          errorOf={(field) => errors[`reps.${index}.${field}`]}
          onChange={(patch) => change(index, patch)}
          onRemove={() => onChange(reps.filter((_, at) => at !== index))}
        />
      ))}
    </Stack>
  );
}

type RowProps = {
  rep: Rep;
  /** Once an entry has begun, only its last day can change. */
  begun: boolean;
  errorOf: (field: 'userId' | 'from' | 'to') => string | undefined;
  onChange: (patch: Partial<Rep>) => void;
  onRemove: () => void;
};

function RepRow({ rep, begun, errorOf, onChange, onRemove }: RowProps) {
  const label = TERRITORY_ROLE_LABELS[rep.role];
  const who = rep.userName || 'new';
  return (
    <div className={classes['rep']} role="group" aria-label={`${label} ${who}`}>
      {begun ? (
        <div className={classes['person']}>
          <Text size="sm">{rep.userName}</Text>
          {(errorOf('userId') ?? errorOf('from')) ? (
            <Text size="xs" c="red">
              {errorOf('userId') ?? errorOf('from')}
            </Text>
          ) : null}
        </div>
      ) : (
        <PersonSelect
          className={classes['person']}
          aria-label={`${label} who`}
          data-autofocus={rep.userId === 0 ? true : undefined}
          roles={TERRITORY_ROLE_FITS[rep.role]}
          value={rep.userId ? { id: rep.userId, name: rep.userName, userName: '' } : null}
          error={errorOf('userId')}
          onChange={(person) => onChange({ userId: person?.id ?? 0, userName: person?.name ?? '' })}
        />
      )}
      {begun ? (
        <Text size="sm" className="tabular" w={130}>
          {formatDate(rep.from)} –
        </Text>
      ) : (
        <DateField
          aria-label={`${label} ${who} from`}
          w={130}
          value={rep.from}
          error={errorOf('from')}
          onChange={(from) => onChange({ from })}
        />
      )}
      <DateField
        aria-label={`${label} ${who} to`}
        placeholder="no end"
        w={130}
        value={rep.to}
        error={errorOf('to')}
        onChange={(to) => onChange({ to })}
      />
      {begun ? (
        <span className={classes['noButton']} />
      ) : (
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${label} ${who}`} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      )}
    </div>
  );
}
