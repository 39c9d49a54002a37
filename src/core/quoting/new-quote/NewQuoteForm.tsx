// The form for a new quote (facility, people, dates, template). Saves it as one quote and opens it.
import { Alert, Anchor, Autocomplete, Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Ref, useEffect, useRef, useState } from 'react';
import { openEntries } from '#platform/addons/addon.web.ts';
import { api } from '#platform/api/client.web.ts';
import { withoutFieldErrors } from '#platform/api/http-error.ts';
import { ItemName, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { type FacilityHit, FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import type { KeyedRow } from '#core/quoting/quote-edit/paste/paste-rows.ts';
import { QuoteEdit, type QuoteTemplate } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { MailPart } from './MailPart.tsx';
import { OpenQuotesOf } from './OpenQuotesOf.tsx';
import { PeopleAndDates } from './PeopleAndDates.tsx';
import {
  apartFromPeople,
  ASKED_TEXTS,
  type Chosen,
  fieldOf,
  FIELDS,
  fieldsInWords,
  fieldsOf,
  isFolded,
  ownErrors,
  type People,
  serverErrors,
} from './new-quote-fields.ts';
import { otherBeginnings } from './doors.web.ts';
import classes from './new-quote.module.css';
import { useCreateQuote } from './use-create-quote.web.ts';

type Props = {
  /** The facility in the page address. */
  facilityId: number | null;
  /** Called with the chosen facility. Null when the choice is cleared. */
  onFacility: (facilityId: number | null) => void;
  onCreated: (quoteId: number) => void;
};

export function NewQuoteForm({ facilityId, onFacility, onCreated }: Props) {
  const navigate = useNavigate();
  // Undefined until the user chooses. Until then, the page address decides.
  const [picked, setPicked] = useState<FacilityHit | null>();
  const [chosen, setChosen] = useState<Chosen>({});
  const [template, setTemplate] = useState<QuoteTemplate | null>(null);
  const [rows, setRows] = useState<KeyedRow[]>([]);
  const [tried, setTried] = useState(false);
  const [opened, setOpened] = useState(false);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const created = useRef(false);
  const contactInput = useRef<HTMLInputElement>(null);

  const start = useQuery({ ...api(QuoteEdit).PopulateNewQuote.query({}), staleTime: 0 });
  const request = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: facilityId ?? 0 }),
    enabled: facilityId !== null,
  });
  const facility = picked === undefined ? (request.data ?? null) : picked;
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: facility?.id ?? null }),
    placeholderData: keepPreviousData,
  });
  const templates = useQuery({
    ...api(QuoteEdit).GetQuoteTemplateForQuote.query({}),
    meta: { global: 'The templates could not be loaded.' },
  });

  const create = useCreateQuote(rows, template, (quoteId) => {
    created.current = true;
    onCreated(quoteId);
  });

  const chosenId = create.data ? null : (facility?.id ?? null);
  useEffect(() => {
    onFacility(chosenId);
    return () => onFacility(null);
  }, [chosenId, onFacility]);

  const dirty = Boolean(picked) || template !== null || rows.length > 0 || Object.keys(chosen).length > 0;
  useUnsaved(dirty, undefined, () => !created.current);
  const cancel = () => void navigate({ to: paths.home });
  useKeys([{ key: 'Escape', label: 'Cancel', run: cancel }]);

  // The form disappears as soon as the quote exists, while the board loads.
  if (create.data) return <Created num={create.data.num} />;
  if (start.error) return <ErrorAlert error={start.error} title="A new quote cannot be started" />;
  if (!start.data || request.isLoading) return <Skeleton height={360} radius="sm" aria-label="Loading" />;
  const ready = lookups.data && !lookups.isPlaceholderData ? lookups.data : undefined;
  const fields = fieldsOf(chosen, start.data.quote, facility, ready);
  const set = (patch: Chosen) => setChosen((now) => ({ ...now, ...patch }));
  const pick = (hit: FacilityHit) => {
    setPicked(hit);
    contactInput.current?.focus();
    setChosen(apartFromPeople);
  };
  const errors = { ...(tried ? ownErrors(facility, fields) : {}), ...serverErrors(create.error) };
  const submit = () => {
    setTried(true);
    if (!facility || Object.keys(ownErrors(facility, fields)).length > 0) return;
    const { contactName, contactEmail, phone } = fields;
    const fieldsChosen = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null));
    // Until the facility's people are loaded, the server fills in the only contact.
    const people = ready ? { contactName, contactEmail, phone } : {};
    create.mutate({ facilityId: facility.id, ...fieldsChosen, ...people });
  };

  // On a phone, prefilled fields stay folded as long as they have no errors.
  const wrong = Object.keys(errors).some(isFolded);
  const folded = narrow && !opened && !wrong && facility !== null && ready !== undefined;
  return (
    <Form label="New Quote" onSubmit={submit}>
      <Stack className="card" p="md" gap="md">
        <MailPart
          facilityId={facility?.id ?? null}
          rows={rows}
          onRows={setRows}
          onFacility={(hit, { from }) => {
            pick(hit);
            set({ contactName: from.name, contactEmail: from.email });
          }}
          onMail={({ from, sender }) => {
            if (sender.facility) pick(sender.facility);
            set({
              contactName: sender.contact?.name ?? from.name,
              contactEmail: from.email,
              ...(sender.contact ? { phone: sender.contact.phone } : {}),
            });
          }}
        />
        {facility ? (
          <ChosenFacility facility={facility} error={errors['facilityId']} onChange={() => setPicked(null)} />
        ) : (
          <FacilityPicker required takesFocus error={errors['facilityId']} onPick={pick} />
        )}
        <ErrorAlert error={picked === undefined ? request.error : null} title="The facility could not be loaded" />
        {ready?.warning ? (
          <Alert variant="default" icon={<IconAlertTriangle size={18} color="var(--mantine-color-orange-6)" />}>
            {ready.warning}
          </Alert>
        ) : null}
        {facility ? <OpenQuotesOf facilityId={facility.id} /> : null}
        <div className={classes['fields']}>
          <ContactField
            ref={contactInput}
            value={fields.contactName}
            error={errors['contactName']}
            contacts={facility && ready ? ready.contacts : []}
            onChange={set}
          />
          {folded ? null : <PeopleAndDates fields={fields} errors={errors} people={lookups.data} set={set} />}
          {ASKED_TEXTS.map(({ name, label, longest }) => (
            <TextInput
              key={name}
              label={label}
              value={chosen[name] ?? ''}
              error={errors[name]}
              maxLength={longest}
              onChange={(event) => set({ [name]: event.currentTarget.value })}
            />
          ))}
        </div>
        {folded ? <Folded words={fieldsInWords(fields, ready)} onOpen={() => setOpened(true)} /> : null}
        <TemplateChoice templates={templates.data ?? []} value={template} onChange={setTemplate} />
        <ErrorAlert error={lookups.error} title="The facility's people could not be loaded" onRetry={lookups.refetch} />
        <ErrorAlert
          error={withoutFieldErrors(create.error, (path) => FIELDS.includes(fieldOf(path)))}
          title="The quote was not created"
          onClose={create.reset}
        />
        <Foot facility={facility} busy={create.isPending} onCancel={cancel} />
      </Stack>
    </Form>
  );
}

type ContactFieldProps = {
  ref: Ref<HTMLInputElement>;
  value: string;
  error: string | undefined;
  /** The contacts of the facility. */
  contacts: People['contacts'];
  onChange: (patch: Chosen) => void;
};

function ContactField({ ref, value, error, contacts, onChange }: ContactFieldProps) {
  const [only] = contacts;
  // The field already holds the only choice.
  const isChosen = contacts.length === 1 && value === only?.name;
  return (
    <Autocomplete
      ref={ref}
      label="Contact"
      placeholder="Choose or type a name"
      value={value}
      error={error}
      maxLength={200}
      data={isChosen ? [] : [...new Set(contacts.map(({ name }) => name))]}
      onChange={(contactName) => onChange({ contactName })}
      onOptionSubmit={(name) => {
        const contact = contacts.find((candidate) => candidate.name === name);
        if (contact) onChange({ contactName: name, contactEmail: contact.email, phone: contact.phone });
      }}
    />
  );
}

function ChosenFacility(props: { facility: FacilityHit; error: string | undefined; onChange: () => void }) {
  const { facility, error, onChange } = props;
  return (
    <Group justify="space-between" align="start" wrap="nowrap">
      <div>
        <Text fw={600}>
          <FacilityLink id={facility.id} name={facility.name} />
        </Text>
        <Text size="sm" className="muted">
          Acct. {facility.acctNo} · {cityAndState(facility)} {facility.zip}
        </Text>
        {error ? (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        ) : null}
      </div>
      <Button variant="default" size="compact-sm" miw="max-content" onClick={onChange}>
        Change
      </Button>
    </Group>
  );
}

function Created({ num }: { num: number }) {
  return (
    <Stack className="card" p="md" gap="md" aria-busy>
      <Text role="status">Quote {num} was created. Opening it…</Text>
      <Skeleton height={320} radius="sm" />
    </Stack>
  );
}

/** A summary of the prefilled fields, with a button that shows them. */
function Folded({ words, onOpen }: { words: string; onOpen: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="start" gap="sm">
      <Text size="sm" className="muted">
        {words}
      </Text>
      <Button variant="default" size="compact-sm" miw="max-content" onClick={onOpen}>
        Change these
      </Button>
    </Group>
  );
}

function Foot(props: { facility: FacilityHit | null; busy: boolean; onCancel: () => void }) {
  const { facility, busy, onCancel } = props;
  return (
    <Group justify="space-between" gap="sm">
      <div>
        {openEntries(otherBeginnings).map(({ label, to }) => (
          <Anchor
            key={to}
            size="sm"
            renderRoot={(props) => <Link {...props} to={to} search={facility ? { facility: facility.id } : {}} />}
          >
            {label}
          </Anchor>
        ))}
      </div>
      <Group>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Create Quote
        </Button>
      </Group>
    </Group>
  );
}

type TemplateChoiceProps = {
  templates: readonly QuoteTemplate[];
  value: QuoteTemplate | null;
  onChange: (template: QuoteTemplate | null) => void;
};

function TemplateChoice({ templates, value, onChange }: TemplateChoiceProps) {
  if (templates.length === 0) return null;
  return (
    <>
      <Select
        label="From a template"
        placeholder="None"
        clearable
        searchable
        data={templates.map((template) => ({ value: String(template.id), label: template.name }))}
        value={value ? String(value.id) : null}
        onChange={(id) => onChange(templates.find((template) => String(template.id) === id) ?? null)}
        description={value ? contentOf(value) : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      {value ? <TemplateItems template={value} /> : null}
    </>
  );
}

function contentOf(template: QuoteTemplate): string {
  const lines = template.items.length;
  const gone = template.items.filter((item) => item.gone).length;
  const left = gone === 0 ? '' : `; ${gone} no longer sold, left out`;
  return `${template.description ? `${template.description} · ` : ''}${lines} ${lines === 1 ? 'line' : 'lines'}${left}`;
}

const SHOWN = 5;

/** The first items that a template adds to a new quote. */
function TemplateItems({ template }: { template: QuoteTemplate }) {
  const items = template.items.filter(({ type, gone }) => type === 'item' && !gone);
  if (items.length === 0) return null;
  return (
    <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={`Items of ${template.name}`}>
      {items.slice(0, SHOWN).map((item, index) => (
        <Group key={`${item.itemId} ${index}`} component="li" gap="xs" wrap="nowrap">
          <Thumbnail url={item.imgThumbnailUrl} size={32} />
          <Text size="sm" flex={1}>
            <b className="tabular">{item.itemNumber}</b> <ItemName item={item} />
          </Text>
          <Text size="sm" className="muted tabular">
            {item.qty} {item.unit}
          </Text>
        </Group>
      ))}
      {items.length > SHOWN ? (
        <Text component="li" size="sm" className="muted">
          and {items.length - SHOWN} more
        </Text>
      ) : null}
    </Stack>
  );
}
