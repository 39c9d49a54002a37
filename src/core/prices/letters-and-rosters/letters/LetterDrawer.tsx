// One letter of commitment: its record, the next possible steps, the PDF to sign, the signed file, and its history.
import {
  Anchor,
  Button,
  Checkbox,
  FileInput,
  Group,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { ContractProps } from '../rosters/RosterDrawer.tsx';
import { LETTER_STATES } from '../rosters/rosters.contract.ts';
import { mayFollow, NEEDS_REASON, SETTLED, SIGNED } from './letter-steps.ts';
import { type Letter, LetterEdit, Letters } from './letters.contract.ts';

type Props = ContractProps & { letter: Letter | null; keeps: boolean; onClose: () => void };

export function LetterDrawer({ letter, keeps, onClose, ...contract }: Props) {
  return (
    <RecordDrawer title={letter ? `Letter of ${letter.facility.name}` : 'New letter of commitment'} onClose={onClose}>
      <Stack gap="xl">
        {keeps ? (
          <LetterForm letter={letter} onClose={onClose} {...contract} />
        ) : letter ? (
          <Facts letter={letter} />
        ) : null}
        {letter ? <Papers letter={letter} keeps={keeps} /> : null}
        {letter && keeps ? (
          <section aria-label="History">
            <Title order={3} size="h6" mb="xs">
              History
            </Title>
            <HistoryPanel type="letter" id={letter.id} />
          </section>
        ) : null}
      </Stack>
    </RecordDrawer>
  );
}

const LABELS = {
  tierId: 'Tier',
  state: 'State',
  from: 'From',
  to: 'To',
  signer: 'Signer',
  signedOn: 'Signed on',
  note: 'Note',
  coversChildren: 'Covers children',
};

function LetterForm({ letter, contractId, tiers, today, onClose }: Omit<Props, 'keeps'>) {
  const [facilityName, setFacilityName] = useState('');
  // Tiers that need a letter come first.
  const choices = tiers.toSorted((a, b) => Number(b.needsLoc) - Number(a.needsLoc) || a.tierNo - b.tierNo);
  const form = useRecordForm({
    record: {
      id: letter?.id ?? 0,
      contractId,
      facilityId: letter?.facility.id ?? 0,
      tierId: letter?.tierId ?? choices[0]?.id ?? 0,
      coversChildren: letter?.coversChildren ?? false,
      state: letter?.state ?? ('Sent' as const),
      from: letter?.from ?? today,
      to: letter?.to ?? '',
      signer: letter?.signer ?? '',
      signedOn: letter?.signedOn ?? '',
      note: letter?.note ?? '',
      ...(letter ? { version: letter.version } : {}),
    },
    schema: LetterEdit,
    save: (values) => api(Letters).SaveLoc(values),
    onSaved: (saved) => {
      notifications.show({ message: `The letter of ${saved.facility.name} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, LetterEdit, LABELS);
  const settled = letter !== null && SETTLED.includes(letter.state) && values.state !== 'Sent';
  const states = LETTER_STATES.filter((state) => mayFollow(letter?.state ?? null, state));
  const tier = tiers.find(({ id }) => id === values.tierId);
  const needsReason =
    values.state !== letter?.state &&
    (NEEDS_REASON.includes(values.state) || (values.state === 'Approved' && values.from < today));
  return (
    <RecordForm
      form={form}
      label="Letter of commitment"
      labels={LABELS}
      inWords={(field, value) =>
        field === 'tierId'
          ? (tiers.find(({ id }) => id === value)?.name ?? '–')
          : field === 'from' || field === 'to' || field === 'signedOn'
            ? formatDate(String(value))
            : undefined
      }
      onCancel={onClose}
    >
      {letter ? null : (
        <FacilityField
          chosen={values.facilityId ? facilityName : null}
          error={errors['facilityId']}
          onChange={(facility) => {
            setFacilityName(facility?.name ?? '');
            set({ facilityId: facility?.id ?? 0 });
          }}
        />
      )}
      <Select
        label="Tier"
        description={tier?.requirement || undefined}
        allowDeselect={false}
        disabled={settled}
        data={choices.map((choice) => ({
          value: String(choice.id),
          label: `${choice.tierNo}. ${choice.name}${choice.needsLoc ? '' : ' (needs no letter)'}`,
        }))}
        value={String(values.tierId)}
        error={errors['tierId']}
        onChange={(id) => set({ tierId: Number(id) })}
      />
      <Checkbox {...field.check('coversChildren')} label="Also for the facilities below it" disabled={settled} />
      <Select
        label="State"
        allowDeselect={false}
        data={states}
        value={values.state}
        error={errors['state']}
        onChange={(next) => set({ state: LETTER_STATES.find((state) => state === next) ?? values.state })}
      />
      <Group grow align="flex-start">
        <TextInput
          {...field.text('signer')}
          required={SIGNED.includes(values.state)}
          autoComplete="off"
          disabled={settled}
        />
        <DateField
          label="Signed on"
          required={SIGNED.includes(values.state)}
          disabled={settled}
          value={values.signedOn}
          error={errors['signedOn']}
          onChange={(signedOn) => set({ signedOn })}
        />
      </Group>
      <FromTo values={values} errors={errors} begun={settled} onChange={set} />
      <Textarea
        {...field.text('note')}
        description={needsReason ? 'Say why' : undefined}
        required={needsReason}
        autosize
        minRows={2}
      />
    </RecordForm>
  );
}

function Facts({ letter }: { letter: Letter }) {
  const facts = [
    ['Tier', `${letter.tierNo}. ${letter.tierName}`],
    ['State', `${letter.state} since ${formatDate(letter.stateAt)}`],
    ['Days', `${formatDate(letter.from)} – ${formatDate(letter.to) || 'no end'}`],
    ['Signed', [letter.signer, formatDate(letter.signedOn)].filter(Boolean).join(', ')],
    ['Also for', letter.coversChildren ? 'the facilities below it' : ''],
  ].filter(([, value]) => value);
  return (
    <Stack gap={6} component="dl" m={0}>
      {facts.map(([label, value]) => (
        <Group key={label} gap="sm" wrap="nowrap" align="start">
          <Text component="dt" size="sm" className="muted" w={80} flex="none">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** The letter to sign, and the signed file. */
function Papers({ letter, keeps }: { letter: Letter; keeps: boolean }) {
  const { id, version, file, state } = letter;
  const [chosen, setChosen] = useState<File | null>(null);
  const print = useMutation({ ...api(Letters).GetLocPdf.mutation(), onSuccess: saveFile });
  const download = useMutation({ ...api(Letters).DownloadLocFile.mutation(), onSuccess: saveFile });
  const attach = useMutation({
    ...api(Letters).AttachLocFile.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The file is saved with the letter.' });
      setChosen(null);
    },
  });
  const takesFile = keeps && !(file && SETTLED.includes(state));
  return (
    <section aria-label="Papers">
      <Title order={3} size="h6" mb="xs">
        Papers
      </Title>
      <Stack gap="sm" align="stretch">
        <div>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={print.isPending}
            onClick={() => print.mutate({ id })}
          >
            Letter to sign (PDF)
          </Button>
        </div>
        {file ? (
          <Text size="sm">
            <Anchor
              component="button"
              type="button"
              size="sm"
              ta="left"
              onClick={() => download.mutate({ id })}
              style={{ overflowWrap: 'anywhere' }}
            >
              {file.name}
            </Anchor>{' '}
            <span className="muted">{sizeText(file.size)}</span>
          </Text>
        ) : (
          <Text size="sm" className="muted">
            No signed file yet.
          </Text>
        )}
        {takesFile ? (
          <Group align="end" wrap="nowrap">
            <FileInput
              flex={1}
              miw={0}
              label={file ? 'Another signed file' : 'Signed file'}
              description={file ? 'It replaces the one above' : undefined}
              placeholder="Choose a file"
              clearable
              value={chosen}
              onChange={setChosen}
            />
            <Button
              disabled={chosen === null}
              loading={attach.isPending}
              onClick={() => chosen && attach.mutate({ id, version, file: chosen })}
            >
              Add
            </Button>
          </Group>
        ) : null}
        <ErrorAlert error={print.error ?? download.error} title="The letter could not be downloaded" />
        <ErrorAlert error={attach.error} title="The signed file could not be added" />
      </Stack>
    </section>
  );
}
