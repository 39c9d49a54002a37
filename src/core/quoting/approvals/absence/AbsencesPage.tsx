// The absences page: when an approver is away, and who decides for them. Approvers edit their own absences, system administrators edit all.
import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { ListPage } from '#platform/ui/ListPage.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { type Absence, AbsenceInput, ApprovalAbsences } from './absence.contract.ts';

type Kept = OutputOf<typeof ApprovalAbsences.GetAbsences>;

export default function AbsencesPage() {
  const user = useSession();
  const stored = useQuery({ ...api(ApprovalAbsences).GetAbsences.query({}), staleTime: 0 });
  const [editing, setEditing] = useState<Absence | null>(null);
  const add = () => {
    if (!stored.data) return;
    const { today } = stored.data;
    setEditing({ id: 0, userId: user?.id ?? 0, name: '', deputyId: 0, deputy: '', from: today, to: today, version: 0 });
  };
  return (
    <ListPage
      title="Absences"
      hint="While an approver is away, their deputy decides their approvals. The history shows both names."
      noun={['absence', 'absences']}
      total={stored.data?.absences.length}
      actions={<AddButton label="Add Absence" disabled={!stored.data} onAdd={add} />}
      filters={null}
    >
      <DataList
        label="Absences"
        columns={columnsOf(stored.data?.today ?? '', setEditing)}
        rows={stored.data?.absences}
        rowKey={(absence) => absence.id}
        onOpen={setEditing}
        card={(absence) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap">
              <RowLink name={absence.name} onOpen={() => setEditing(absence)} />
              <StateChip absence={absence} today={stored.data?.today ?? ''} />
            </Group>
            <Text size="sm">{absence.deputy} decides</Text>
            <Text size="sm" className="muted tabular">
              {formatDate(absence.from)} to {formatDate(absence.to)}
            </Text>
          </Stack>
        )}
        error={stored.error}
        onRetry={() => void stored.refetch()}
      />
      {editing && stored.data ? (
        <RecordDrawer title={editing.id ? 'Edit Absence' : 'Add Absence'} onClose={() => setEditing(null)}>
          <AbsenceForm absence={editing} kept={stored.data} onClose={() => setEditing(null)} />
        </RecordDrawer>
      ) : null}
    </ListPage>
  );
}

const columnsOf = (today: string, onOpen: (absence: Absence) => void): Column<Absence>[] => [
  { title: 'Away', width: 260, render: (absence) => <RowLink name={absence.name} onOpen={() => onOpen(absence)} /> },
  { title: 'From', render: ({ from }) => formatDate(from) },
  { title: 'To', render: ({ to }) => formatDate(to) },
  { title: 'Deputy', width: 260, render: ({ deputy }) => deputy },
  { title: 'State', render: (absence) => <StateChip absence={absence} today={today} /> },
];

function StateChip({ absence, today }: { absence: Absence; today: string }) {
  return absence.from <= today ? <Chip tone="orange">Away</Chip> : <Chip tone="blue">Planned</Chip>;
}

function AbsenceForm({ absence, kept, onClose }: { absence: Absence; kept: Kept; onClose: () => void }) {
  const queries = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const done = (message: string) => {
    notifications.show({ message });
    void queries.invalidateQueries({ queryKey: api(ApprovalAbsences).GetAbsences.key });
    onClose();
  };
  const form = useRecordForm({
    record: absence,
    schema: AbsenceInput,
    save: (values) => api(ApprovalAbsences).SaveAbsence(values),
    onSaved: ({ name, deputy }) => done(`${deputy} decides for ${name} during that time.`),
  });
  const remove = useMutation({
    ...api(ApprovalAbsences).RemoveAbsence.mutation(),
    onSuccess: () => done('Absence removed.'),
  });
  const { values, errors, set } = form;
  return (
    <Stack>
      <RecordForm
        form={form}
        label="Absence"
        labels={{ userId: 'Who is away', deputyId: 'Deputy', from: 'First day', to: 'Last day' }}
        inWords={(field, value) =>
          field === 'from' || field === 'to'
            ? formatDate(String(value))
            : (kept.deputies.find(({ id }) => id === value)?.name ?? '–')
        }
        onCancel={onClose}
      >
        {kept.approvers.length > 1 ? (
          <Select
            label="Who is away"
            required
            searchable
            allowDeselect={false}
            data={choices(kept.approvers)}
            value={values.userId ? String(values.userId) : null}
            error={errors['userId']}
            onChange={(id) => set({ userId: Number(id) })}
          />
        ) : null}
        <Select
          label="Deputy"
          description="Decides the approvals waiting for you. Can see those quotes, but never decides their own requests."
          required
          searchable
          data-autofocus
          data={choices(kept.deputies.filter(({ id }) => id !== values.userId))}
          value={values.deputyId ? String(values.deputyId) : null}
          error={errors['deputyId'] ? (values.deputyId ? errors['deputyId'] : 'This field is required') : undefined}
          onChange={(id) => set({ deputyId: id === null ? 0 : Number(id) })}
        />
        <SimpleGrid cols={2}>
          <DateField
            label="First day"
            required
            value={values.from}
            error={errors['from']}
            onChange={(from) => set({ from })}
          />
          <DateField label="Last day" required value={values.to} error={errors['to']} onChange={(to) => set({ to })} />
        </SimpleGrid>
      </RecordForm>
      {absence.id ? (
        <Button variant="subtle" color="red" onClick={() => setRemoving(true)} style={{ alignSelf: 'start' }}>
          Remove this absence
        </Button>
      ) : null}
      {removing ? (
        <ConfirmDialog
          title="Remove this absence?"
          action="Remove"
          harmful
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id: absence.id, version: absence.version })}
          onClose={() => setRemoving(false)}
        >
          {`From now on, ${absence.deputy} no longer decides for ${absence.name}.`}
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}

function choices(people: readonly Named[]) {
  return people.map(({ id, name }) => ({ value: String(id), label: name }));
}
