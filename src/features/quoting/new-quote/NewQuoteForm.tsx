// The form for a new quote (facility, people, dates, template), which saves it as one quote and opens it.
import { Alert, Anchor, Autocomplete, Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { HttpError, untold } from '#api/http-error.ts';
import { FacilityLink } from '#features/customers/facilities/FacilityLink.tsx';
import { FacilityPicker } from '#features/customers/facilities/FacilityPicker.tsx';
import { type FacilityHit, FacilitySearch } from '#features/customers/facilities/facilities.contract.ts';
import { QuoteEdit, type QuoteInput, type QuoteTemplate } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { addDays, formatDate, parseDate } from '#shared/dates.ts';
import { newKey } from '#shared/new-key.ts';
import { paths } from '#shared/paths.ts';
import type { Named } from '#shared/wire.ts';
import { NARROW } from '#ui/DataList.tsx';
import { DateField } from '#ui/DateField.tsx';
import { DiscardDialog } from '#ui/DiscardDialog.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { useKeys } from '#ui/keys.tsx';
import { useUnsaved } from '#ui/unsaved.web.ts';
import type { KeyedRow } from '#features/quoting/quote-edit/paste/paste-rows.ts';
import { MailPart } from './MailPart.tsx';
import classes from './new-quote.module.css';
import { OpenQuotesOf } from './OpenQuotesOf.tsx';
import { TemplateItems } from './TemplateItems.tsx';

/** The user's choices. Fields not in it follow the facility. */
type Chosen = Partial<
  Pick<QuoteInput, 'contactName' | 'contactEmail' | 'phone' | 'quoteDate' | 'validUntil' | 'customerReference'> & {
    salesRepId: number | null;
    csRepId: number | null;
    isRepId: number | null;
  }
>;

type Props = {
  /** The facility in the page's address. */
  facilityId: number | null;
  /** Called with the facility that is chosen now; null: none. */
  onFacility: (facilityId: number | null) => void;
  onCreated: (quoteId: number) => void;
};

export function NewQuoteForm({ facilityId, onFacility, onCreated }: Props) {
  const navigate = useNavigate();
  // Undefined until the user chooses. Until then the address decides.
  const [picked, setPicked] = useState<FacilityHit | null>();
  const [chosen, setChosen] = useState<Chosen>({});
  const [template, setTemplate] = useState<QuoteTemplate | null>(null);
  const [rows, setRows] = useState<KeyedRow[]>([]);
  const [tried, setTried] = useState(false);
  const [opened, setOpened] = useState(false);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Pressing again after a lost answer returns the same quote.
  const [clientKey] = useState(newKey);
  const sent = useRef<string>(null);
  const created = useRef(false);
  const contactInput = useRef<HTMLInputElement>(null);

  const start = useQuery({ ...api(QuoteEdit).PopulateNewQuote.query({}), staleTime: 0 });
  const asked = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: facilityId ?? 0 }),
    enabled: facilityId !== null,
  });
  const facility = picked === undefined ? (asked.data ?? null) : picked;
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: facility?.id ?? null }),
    placeholderData: keepPreviousData,
  });
  const templates = useQuery(api(QuoteEdit).GetQuoteTemplateForQuote.query({}));

  const create = useMutation({
    mutationFn: async (quote: QuoteInput) => {
      const first = (sent.current ??= JSON.stringify(quote));
      const items = rows.map(({ item, ...row }) => ({ id: 0, itemId: item.itemId, ...row }));
      let { quote: saved } = await api(QuoteEdit).SaveSalesRepQuote({
        quote: { ...quote, clientKey },
        ...(items.length > 0 ? { items } : {}),
      });
      if (JSON.stringify(quote) !== first) {
        // The first request may have made the quote, so this saves later input over it.
        const { id, version } = saved;
        ({ quote: saved } = await api(QuoteEdit).SaveSalesRepQuote({ quote: { ...quote, id, version } }));
      }
      // The quote exists now. The board reports later failures, where the user can fix them.
      const failure = template
        ? await api(QuoteEdit)
            .SaveQuoteTemplateForQuote({ quoteId: saved.id, templateId: template.id })
            .then(
              () => null,
              (error: Error) => error,
            )
        : null;
      return { id: saved.id, num: saved.num, failure };
    },
    meta: { blocking: true },
    onSuccess: ({ id, failure }) => {
      created.current = true;
      if (failure) {
        notifications.show({
          color: 'red',
          title: `The lines of ${template?.name ?? 'the template'} were not added`,
          message: failure.message,
          autoClose: false,
        });
      }
      onCreated(id);
    },
  });

  const chosenId = create.data ? null : (facility?.id ?? null);
  useEffect(() => {
    onFacility(chosenId);
    return () => onFacility(null);
  }, [chosenId, onFacility]);

  const dirty = Boolean(picked) || template !== null || rows.length > 0 || Object.keys(chosen).length > 0;
  useUnsaved(dirty);
  const leaving = useBlocker({
    shouldBlockFn: () => dirty && !created.current,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const cancel = () => void navigate({ to: paths.home });
  useKeys([{ key: 'Escape', label: 'Cancel', run: cancel }]);

  // The form is closed as soon as the quote exists, while the board loads.
  if (create.data) {
    return (
      <Stack className="card" p="md" gap="md" aria-busy>
        <Text role="status">Quote {create.data.num} was created. Opening it…</Text>
        <Skeleton height={320} radius="sm" />
      </Stack>
    );
  }
  if (start.error) return <ErrorAlert error={start.error} title="A new quote cannot be started" />;
  if (!start.data || asked.isLoading) return <Skeleton height={360} radius="sm" aria-label="Loading" />;
  const first = start.data.quote;
  const ready = lookups.data && !lookups.isPlaceholderData ? lookups.data : undefined;
  const [only] = facility && ready?.contacts.length === 1 ? ready.contacts : [];
  const quoteDate = chosen.quoteDate ?? first.quoteDate;
  const fields = {
    contactName: chosen.contactName ?? only?.name ?? '',
    contactEmail: chosen.contactEmail ?? only?.email ?? '',
    phone: chosen.phone ?? only?.phone ?? '',
    // A cleared choice returns to the representative of the facility's territory.
    salesRepId: chosen.salesRepId ?? (facility ? ready?.defaults.salesRepId : first.salesRepId),
    csRepId: chosen.csRepId ?? (facility ? ready?.defaults.csRepId : null),
    isRepId: chosen.isRepId ?? (facility ? ready?.defaults.isRepId : null),
    validUntil: chosen.validUntil ?? shifted(first, quoteDate),
  };
  // The field already holds the only choice.
  const names =
    facility && ready && fields.contactName !== only?.name ? [...new Set(ready.contacts.map(({ name }) => name))] : [];
  const set = (patch: Chosen) => setChosen((now) => ({ ...now, ...patch }));
  const pick = (hit: FacilityHit) => {
    setPicked(hit);
    contactInput.current?.focus();
    // Another facility has other people. The dates stay.
    setChosen(({ quoteDate: date, validUntil, customerReference }) => ({
      ...(date === undefined ? {} : { quoteDate: date }),
      ...(validUntil === undefined ? {} : { validUntil }),
      ...(customerReference === undefined ? {} : { customerReference }),
    }));
  };
  const errors = { ...(tried ? ownErrors(facility, quoteDate, fields.validUntil) : {}), ...serverErrors(create.error) };
  const submit = () => {
    setTried(true);
    if (!facility || Object.keys(ownErrors(facility, quoteDate, fields.validUntil)).length > 0) return;
    const { contactName, contactEmail, phone } = fields;
    const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== null));
    // Until the facility's people are loaded, the server names the only contact.
    const people = ready ? { contactName, contactEmail, phone } : {};
    create.mutate({ facilityId: facility.id, ...given, ...people });
  };

  const contact = (
    <Autocomplete
      ref={contactInput}
      label="Contact"
      placeholder="Choose or type a name"
      value={fields.contactName}
      error={errors['contactName']}
      maxLength={200}
      data={names}
      onChange={(contactName) => set({ contactName })}
      onOptionSubmit={(name) => {
        const contact = ready?.contacts.find((one) => one.name === name);
        if (contact) set(contactOf(contact));
      }}
    />
  );
  const reference = (
    <TextInput
      label="Customer reference"
      value={chosen.customerReference ?? ''}
      error={errors['customerReference']}
      maxLength={100}
      onChange={(event) => set({ customerReference: event.currentTarget.value })}
    />
  );
  const details = (
    <>
      <TextInput
        label="Email"
        type="email"
        value={fields.contactEmail}
        error={errors['contactEmail']}
        maxLength={320}
        onChange={(event) => set({ contactEmail: event.currentTarget.value })}
      />
      <TextInput
        label="Phone"
        type="tel"
        value={fields.phone}
        error={errors['phone']}
        maxLength={40}
        onChange={(event) => set({ phone: event.currentTarget.value })}
      />
      <RepSelect
        label="Sales Rep."
        people={lookups.data?.salesReps}
        value={fields.salesRepId}
        error={errors['salesRepId']}
        onChange={(salesRepId) => set({ salesRepId })}
      />
      <RepSelect
        label="CS Rep."
        people={lookups.data?.csReps}
        value={fields.csRepId}
        error={errors['csRepId']}
        onChange={(csRepId) => set({ csRepId })}
      />
      <RepSelect
        label="IS Rep."
        people={lookups.data?.isReps}
        value={fields.isRepId}
        error={errors['isRepId']}
        onChange={(isRepId) => set({ isRepId })}
      />
      <DateField
        label="Quote Date"
        value={quoteDate}
        error={errors['quoteDate']}
        onChange={(date) => set({ quoteDate: date })}
      />
      <DateField
        label="Valid Until"
        value={fields.validUntil}
        error={errors['validUntil']}
        onChange={(validUntil) => set({ validUntil })}
      />
    </>
  );
  // What filled itself in stays folded on a phone, as long as nothing in it is wrong.
  const wrong = Object.keys(errors).some(
    (field) => !['facilityId', 'contactName', 'customerReference'].includes(field),
  );
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
        <ErrorAlert error={picked === undefined ? asked.error : null} title="The facility could not be loaded" />
        {ready?.warning ? (
          <Alert variant="default" icon={<IconAlertTriangle size={18} color="var(--mantine-color-orange-6)" />}>
            {ready.warning}
          </Alert>
        ) : null}
        {facility ? <OpenQuotesOf facilityId={facility.id} /> : null}
        <div className={classes['fields']}>
          {contact}
          {folded ? null : details}
          {reference}
        </div>
        {folded ? (
          <Group justify="space-between" wrap="nowrap" align="start" gap="sm">
            <Text size="sm" className="muted">
              {inWords(fields, quoteDate, ready)}
            </Text>
            <Button variant="default" size="compact-sm" miw="max-content" onClick={() => setOpened(true)}>
              Change these
            </Button>
          </Group>
        ) : null}
        {templates.data && templates.data.length > 0 ? (
          <Select
            label="From a template"
            placeholder="None"
            clearable
            searchable
            data={templates.data.map((one) => ({ value: String(one.id), label: one.name }))}
            value={template ? String(template.id) : null}
            onChange={(id) => setTemplate(templates.data.find((one) => String(one.id) === id) ?? null)}
            description={template ? contentOf(template) : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
        ) : null}
        {template ? <TemplateItems template={template} /> : null}
        <ErrorAlert error={lookups.error} title="The facility's people could not be loaded" />
        <ErrorAlert
          error={untold(create.error, (path) => FIELDS.includes(fieldOf(path)))}
          title="The quote was not created"
          onClose={create.reset}
        />
        <Group justify="space-between" gap="sm">
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to={paths.newSavingsAnalysis} search={facility ? { facility: facility.id } : {}} />
            )}
          >
            From the customer's usage file
          </Anchor>
          <Group>
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create Quote
            </Button>
          </Group>
        </Group>
      </Stack>
      {leaving.status === 'blocked' ? <DiscardDialog onStay={leaving.reset} onDiscard={leaving.proceed} /> : null}
    </Form>
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
          Acct. {facility.acctNo} · {[facility.city, facility.state].filter(Boolean).join(', ')} {facility.zip}
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

type RepSelectProps = {
  label: string;
  people: Named[] | undefined;
  value: number | null | undefined;
  error: string | undefined;
  onChange: (id: number | null) => void;
};

function RepSelect({ label, people = [], value, error, onChange }: RepSelectProps) {
  return (
    <Select
      label={label}
      placeholder="Nobody"
      clearable
      searchable
      data={people.map((one) => ({ value: String(one.id), label: one.name }))}
      value={value ? String(value) : null}
      error={error}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  );
}

function contactOf(contact: { name: string; email: string; phone: string }): Chosen {
  return { contactName: contact.name, contactEmail: contact.email, phone: contact.phone };
}

/** The end of validity for another quote date, with the company's number of days. */
function shifted(first: { quoteDate: string; validUntil: string }, quoteDate: string): string {
  const date = parseDate(quoteDate);
  const days = (Date.parse(first.validUntil) - Date.parse(first.quoteDate)) / 86_400_000;
  return date ? addDays(date, days) : first.validUntil;
}

type Lookups = { salesReps: Named[]; csReps: Named[]; isReps: Named[] };
type Filled = { contactEmail: string; phone: string; validUntil: string } & Record<
  'salesRepId' | 'csRepId' | 'isRepId',
  number | null | undefined
>;

/** What the form filled in by itself, for a screen without room for its fields. */
function inWords(fields: Filled, quoteDate: string, people: Lookups): string {
  const nameOf = (some: Named[], id: number | null | undefined) => some.find((one) => one.id === id)?.name ?? 'nobody';
  return [
    fields.contactEmail,
    fields.phone,
    `Sales Rep. ${nameOf(people.salesReps, fields.salesRepId)}`,
    `CS Rep. ${nameOf(people.csReps, fields.csRepId)}`,
    `IS Rep. ${nameOf(people.isReps, fields.isRepId)}`,
    `${formatDate(quoteDate)} to ${formatDate(fields.validUntil)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

type Errors = Record<string, string | undefined>;

function ownErrors(facility: FacilityHit | null, quoteDate: string, validUntil: string): Errors {
  const hint = 'Type a date as mm/dd/yyyy';
  return {
    ...(facility ? {} : { facilityId: 'This field is required' }),
    ...(parseDate(quoteDate) ? {} : { quoteDate: hint }),
    ...(parseDate(validUntil) ? {} : { validUntil: hint }),
    ...(parseDate(quoteDate) && parseDate(validUntil) && validUntil < quoteDate
      ? { validUntil: 'Valid Until is before the quote date' }
      : {}),
  };
}

/** The fields that show what is wrong with them. */
const FIELDS = [
  'facilityId',
  'contactName',
  'contactEmail',
  'phone',
  'salesRepId',
  'csRepId',
  'isRepId',
  'quoteDate',
  'validUntil',
  'customerReference',
];
const fieldOf = (path: string) => path.replace(/^quote\./, '');

/** The server's refusals, by field. */
function serverErrors(error: Error | null): Errors {
  if (!(error instanceof HttpError)) return {};
  return Object.fromEntries((error.errors ?? []).map(({ path, message }) => [fieldOf(path), message]));
}

function contentOf(template: QuoteTemplate): string {
  const lines = template.items.length;
  const gone = template.items.filter((item) => item.gone).length;
  const left = gone === 0 ? '' : `; ${gone} no longer sold, left out`;
  return `${template.description ? `${template.description} · ` : ''}${lines} ${lines === 1 ? 'line' : 'lines'}${left}`;
}
