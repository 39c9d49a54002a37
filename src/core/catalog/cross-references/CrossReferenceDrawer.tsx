// One cross-reference: its form, the entries that contradict it, and its history.
import { Button, Group, Select, Skeleton, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { ItemByNumber, useItemsByNumber } from '#core/catalog/items/ItemByNumber.tsx';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ContradictionsPanel } from './ContradictionsPanel.tsx';
import { CrossReference, ReferenceInput } from './cross-references.contract.ts';
import { KIND_WORDS, numberInWords, REFERENCE_KINDS, REFERENCE_SCOPES, SCOPE_WORDS } from './reference-words.ts';

type Props = { id: number; onOpen: (id: number) => void; onClose: () => void };

export function CrossReferenceDrawer({ id, onOpen, onClose }: Props) {
  const edit = useQuery({
    ...api(CrossReference).PopulateCrossReferenceEditModel.query(id ? { id } : {}),
    ...READ_ANEW,
  });
  return (
    <RecordDrawer size={620} onClose={onClose} title={id ? 'Edit Cross-Reference' : 'Add Cross-Reference'}>
      {edit.error ? (
        <ErrorAlert error={edit.error} title="This cross-reference could not be loaded" onRetry={edit.refetch} />
      ) : null}
      {edit.data ? (
        <Stack>
          {edit.data.row && edit.data.contradictions.length > 0 ? (
            <ContradictionsPanel row={edit.data.row} others={edit.data.contradictions} onOpen={onOpen} />
          ) : null}
          <ReferenceForm edit={edit.data} onClose={onClose} onOpen={onOpen} />
          {edit.data.row ? (
            <section>
              <Title order={2} size="h6" mb="xs">
                History
              </Title>
              <HistoryPanel type="crossReference" id={edit.data.row.id} />
            </section>
          ) : null}
        </Stack>
      ) : edit.error ? null : (
        <Skeleton height={320} />
      )}
    </RecordDrawer>
  );
}

type EditData = OutputOf<typeof CrossReference.PopulateCrossReferenceEditModel>;

const LABELS = {
  maker: 'Maker or distributor',
  number: 'Number',
  itemNumber: 'Our item #',
  unit: 'Our unit',
  kind: 'Kind',
  scope: 'For',
  facilityId: 'Facility',
  gpoId: 'GPO',
  note: 'Note',
  source: 'Source',
  ended: 'Ended',
};

function ReferenceForm({ edit, onClose, onOpen }: { edit: EditData } & Omit<Props, 'id'>) {
  const [facility, setFacility] = useState<{ name: string } | null>(edit.row?.facility ?? null);
  const form = useRecordForm({
    record: edit.reference,
    schema: ReferenceInput,
    save: async (reference) => {
      const saved = await api(CrossReference).SaveCrossReference(reference);
      const { contradictions } = saved.ended
        ? { contradictions: [] }
        : await api(CrossReference).PopulateCrossReferenceEditModel({ id: saved.id });
      return { saved, contradicts: contradictions.length > 0 };
    },
    onSaved: ({ saved, contradicts }) => {
      const name = numberInWords(saved);
      notifications.show({
        message: contradicts
          ? `${name} is saved. Another entry names a different item. Decide which one to keep.`
          : `${name} is ${saved.ended && !edit.reference.ended ? 'ended' : 'saved'}.`,
      });
      if (contradicts && edit.reference.id === 0) onOpen(saved.id);
      else onClose();
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, ReferenceInput, LABELS);
  const facilityOf = (id: unknown) =>
    id === values.facilityId ? facility?.name : id === edit.reference.facilityId ? edit.row?.facility?.name : undefined;
  const gpoOf = (id: unknown) => edit.gpos.find((gpo) => gpo.id === id)?.name;
  return (
    <RecordForm
      form={form}
      label="Cross-reference"
      labels={LABELS}
      inWords={(field, value) =>
        field === 'gpoId' ? gpoOf(value) : field === 'facilityId' ? facilityOf(value) : undefined
      }
      more={
        edit.reference.id === 0 ? null : (
          <Button
            variant="subtle"
            color={values.ended ? 'blue' : 'red'}
            onClick={() => {
              set({ ended: !values.ended });
            }}
          >
            {values.ended ? 'Restore' : 'End'}
          </Button>
        )
      }
      onCancel={onClose}
    >
      {values.ended ? (
        <Text size="sm" className="warning" role="status">
          {edit.reference.ended
            ? 'Ended: no longer used in searches.'
            : 'Ends when you save. It is then no longer used in searches.'}
        </Text>
      ) : null}
      <Group grow align="start">
        <TextInput {...field.text('maker')} description="Empty: the customer's own number" data-autofocus />
        <TextInput {...field.text('number')} description="As they write it" />
      </Group>
      <ItemFields values={values} errors={errors} onChange={set} />
      <Select
        label="Kind"
        description="Only the same item is used without asking."
        allowDeselect={false}
        data={REFERENCE_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
        value={values.kind}
        error={errors['kind']}
        onChange={(kind) => set({ kind: REFERENCE_KINDS.find((referenceKind) => referenceKind === kind) ?? 'Same' })}
      />
      <ScopeFields
        values={values}
        errors={errors}
        gpos={edit.gpos}
        facility={facility}
        onFacility={setFacility}
        onChange={set}
      />
      <TextInput {...field.text('source')} description="Where it comes from: a list, a person, a quote" />
      <Textarea {...field.text('note')} autosize minRows={2} />
      {edit.row ? (
        <Text size="sm" className="muted">
          Chosen {edit.row.confirmed} times for this number, another item {edit.row.refused} times.
        </Text>
      ) : null}
    </RecordForm>
  );
}

type Scope = Pick<EditData['reference'], 'scope' | 'facilityId' | 'gpoId'>;
type ScopeProps = {
  values: Scope;
  errors: Record<string, string>;
  gpos: EditData['gpos'];
  /** The chosen facility. */
  facility: { name: string } | null;
  onFacility: (facility: { name: string } | null) => void;
  onChange: (patch: Partial<Scope>) => void;
};

/** Chooses for whom the reference applies. */
function ScopeFields({ values, errors, gpos, facility, onFacility, onChange }: ScopeProps) {
  return (
    <>
      <Select
        label="For"
        allowDeselect={false}
        data={REFERENCE_SCOPES.map((scope) => ({ value: scope, label: SCOPE_WORDS[scope] }))}
        value={values.scope}
        error={errors['scope']}
        onChange={(scope) =>
          onChange({ scope: REFERENCE_SCOPES.find((referenceScope) => referenceScope === scope) ?? 'Everybody' })
        }
      />
      {values.scope === 'Facility' || values.scope === 'Parent' ? (
        <FacilityField
          chosen={values.facilityId !== null && facility ? facility.name : null}
          error={errors['facilityId']}
          onChange={(chosen) => {
            onFacility(chosen);
            onChange({ facilityId: chosen?.id ?? null });
          }}
        />
      ) : null}
      {values.scope === 'GPO' ? (
        <Select
          label="GPO"
          required
          searchable
          data={gpos.map((gpo) => ({ value: String(gpo.id), label: gpo.name }))}
          value={values.gpoId === null ? null : String(values.gpoId)}
          error={errors['gpoId']}
          onChange={(gpo) => onChange({ gpoId: gpo === null ? null : Number(gpo) })}
        />
      ) : null}
    </>
  );
}

type ItemFieldsProps = {
  values: { itemNumber: string; unit: string };
  errors: Record<string, string>;
  onChange: (patch: { itemNumber?: string; unit?: string }) => void;
};

/** Our item, found as the user types, and the unit that the number identifies. */
function ItemFields({ values, errors, onChange }: ItemFieldsProps) {
  const { hits, written: item, failure } = useItemsByNumber(values.itemNumber);
  const units = [...new Set([...(item?.units.map(({ unit }) => unit) ?? []), ...(values.unit ? [values.unit] : [])])];
  return (
    <Group grow align="start">
      <ItemByNumber
        label="Our item #"
        hits={hits}
        failure={failure}
        item={item}
        value={values.itemNumber}
        error={errors['itemNumber']}
        onChange={(itemNumber) => onChange({ itemNumber, unit: '' })}
      />
      <Select
        label="Our unit"
        description="The unit that the number identifies"
        allowDeselect={false}
        data={[{ value: '', label: 'Not specified' }, ...units.map((unit) => ({ value: unit, label: unit }))]}
        value={values.unit}
        error={errors['unit']}
        onChange={(unit) => onChange({ unit: unit ?? '' })}
      />
    </Group>
  );
}
