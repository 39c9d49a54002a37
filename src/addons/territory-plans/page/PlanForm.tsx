// A drawer that creates a plan or edits its name, note, effective day and readers.
import { Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { z } from 'zod';
import { api } from '#platform/api/client.web.ts';
import { PeopleSelect } from '#platform/users/PersonSelect.tsx';
import { addDays, formatDate, parseDate } from '#platform/shared/dates.ts';
import type { Role } from '#platform/shared/roles.ts';
import { RequiredText, Text, TypedDate } from '#platform/shared/wire.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { type LoadedMap, type PlanChanges, type SavedMap, TerritoryPlans } from '../territory-plans.contract.ts';

const PLANNERS: readonly Role[] = ['systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager'];

type Readers = SavedMap['readers'];
type Fields = {
  id: number;
  name: string;
  note: string;
  effectiveDay: string;
  readers: Readers;
  version?: number;
};

const PlanFields = z.object({ name: RequiredText(100), note: Text(2000), effectiveDay: TypedDate });

/** The company's calendar day. */
export const todayHere = () => parseDate(formatDate(new Date().toISOString())) ?? '';

export function NewPlanDrawer(props: { onSaved: (saved: PlanChanges) => void; onClose: () => void }) {
  const record = { id: 0, name: '', note: '', effectiveDay: addDays(todayHere(), 1), readers: [] };
  return (
    <RecordDrawer title="New plan" onClose={props.onClose}>
      <PlanForm record={record} mayShare action="Create plan" {...props} />
    </RecordDrawer>
  );
}

export function EditPlanDrawer({
  loaded: { map, allowed },
  ...props
}: {
  loaded: LoadedMap;
  onSaved: (saved: PlanChanges) => void;
  onClose: () => void;
}) {
  const { id, name, note, effectiveDay, readers, version } = map;
  return (
    <RecordDrawer title="Edit plan" onClose={props.onClose}>
      <PlanForm
        record={{ id, name, note, effectiveDay, readers, version }}
        mayShare={allowed.share}
        exceptId={map.owner.id}
        {...props}
      />
    </RecordDrawer>
  );
}

function PlanForm({
  record,
  mayShare,
  exceptId,
  action,
  onSaved,
  onClose,
}: {
  record: Fields;
  mayShare: boolean;
  exceptId?: number;
  action?: string;
  onSaved: (saved: PlanChanges) => void;
  onClose: () => void;
}) {
  const form = useRecordForm({
    record,
    schema: PlanFields,
    save: ({ version, readers, ...map }) =>
      api(TerritoryPlans).saveSavedMap({
        map: {
          ...map,
          ...(mayShare ? { readers: readers.map(({ user, mayEdit }) => ({ userId: user.id, mayEdit })) } : {}),
        },
        ...(version === undefined ? {} : { version }),
      }),
    onSaved: (loaded) => {
      notifications.show({ message: `${loaded.map.name} is saved.` });
      onClose();
      onSaved(loaded);
    },
  });
  const { values, errors, set } = form;
  const people = (mayEdit: boolean) =>
    values.readers.filter((reader) => reader.mayEdit === mayEdit).map(({ user }) => ({ ...user, userName: '' }));
  const share = (chosen: { id: number; name: string }[], mayEdit: boolean) => {
    const ids = new Set(chosen.map(({ id }) => id));
    set({
      readers: [
        ...values.readers.filter((reader) => reader.mayEdit !== mayEdit && !ids.has(reader.user.id)),
        ...chosen.map(({ id, name }) => ({ user: { id, name }, mayEdit })),
      ],
    });
  };
  return (
    <RecordForm
      form={form}
      label="Plan"
      labels={{ name: 'Name', note: 'Note', effectiveDay: 'Effective day', readers: 'Shared with' }}
      inWords={inWords}
      {...(action ? { action } : {})}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={values.name}
        error={errors['name'] ?? errors['map.name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <DateField
        label="Effective day"
        description="The day the moves take effect. Effects are calculated as of this day."
        required
        value={values.effectiveDay}
        error={errors['effectiveDay'] ?? errors['map.effectiveDay']}
        onChange={(effectiveDay) => set({ effectiveDay })}
      />
      <Textarea
        label="Note"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={values.note}
        error={errors['note'] ?? errors['map.note']}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
      {mayShare ? (
        <>
          <PeopleSelect
            label="Can edit"
            description="People who can change the plan."
            roles={PLANNERS}
            exceptId={exceptId}
            value={people(true)}
            error={errors['readers'] ?? errors['map.readers']}
            onChange={(chosen) => share(chosen, true)}
          />
          <PeopleSelect
            label="Can view"
            description="People who can see the plan but not change it."
            roles={PLANNERS}
            exceptId={exceptId}
            value={people(false)}
            onChange={(chosen) => share(chosen, false)}
          />
        </>
      ) : null}
    </RecordForm>
  );
}

function inWords(field: keyof Fields, value: unknown): string {
  if (field === 'effectiveDay') return formatDate(value as string);
  if (field === 'readers') return readersInWords(value as Readers) || '–';
  return typeof value === 'string' && value ? value : '–';
}

/** 'Ada Admin (can edit), Max Manager' */
export function readersInWords(readers: Readers): string {
  return readers.map(({ user, mayEdit }) => `${user.name}${mayEdit ? ' (can edit)' : ''}`).join(', ');
}
