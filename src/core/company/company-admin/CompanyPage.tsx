// The company page: address on quotes, logo, time zone, validity of quotes, terms by version, and currencies.
import {
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { Card } from '#platform/ui/Card.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { pasteAddress } from '#platform/ui/paste-address.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { type Company, CompanyAdmin, CompanyInput } from './company-admin.contract.ts';
import { LogoPanel } from './LogoPanel.tsx';

type Kept = OutputOf<typeof CompanyAdmin.GetCompany>;

const LABELS = {
  name: 'Name',
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  timeZone: 'Time zone',
  defaultValidityDays: 'Quotes are valid for',
  pricePlaces: 'Round unit prices',
  showPictures: 'Show pictures on quotes',
};

const PLACES = [
  { value: '2', label: 'To 2 decimal places (4 for prices below 1.00)' },
  { value: '4', label: 'To 4 decimal places' },
];

export default function CompanyPage() {
  const stored = useQuery({ ...api(CompanyAdmin).GetCompany.query({}), staleTime: 0 });
  return (
    <FormPage title="Company">
      <ErrorAlert error={stored.error} title="The company could not be loaded" onRetry={stored.refetch} />
      {stored.data ? (
        <>
          <Card title="What appears on quotes">
            <CompanyForm company={stored.data.company} timeZones={stored.data.timeZones} />
          </Card>
          <Card title="Logo">
            <LogoPanel name={stored.data.company.name} logo={stored.data.logo} />
          </Card>
          <Card title="Terms and conditions">
            <Terms key={stored.data.terms[0]?.version} terms={stored.data.terms} />
          </Card>
          <Card title="Currencies">
            <Currencies currencies={stored.data.currencies} />
          </Card>
          <Card title="History">
            <HistoryPanel type="company" id={1} />
          </Card>
        </>
      ) : stored.error ? null : (
        <Skeleton height={320} radius="sm" />
      )}
    </FormPage>
  );
}

function CompanyForm({ company, timeZones }: { company: Company; timeZones: string[] }) {
  const form = useRecordForm({
    record: company,
    schema: CompanyInput,
    save: api(CompanyAdmin).SaveCompany,
    onSaved: () => {
      notifications.show({ message: 'Company details saved.' });
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, CompanyInput, LABELS);
  return (
    <RecordForm form={form} label="Company" labels={LABELS} inWords={inWords}>
      <TextInput {...field.text('name')} />
      <Textarea {...field.text('address')} autosize minRows={2} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...field.text('phone')} />
        <TextInput {...field.text('email')} type="email" onPaste={pasteAddress} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          {...field.choice('timeZone')}
          description="Quote dates and expiry use this time zone."
          searchable
          data={timeZones}
        />
        <NumberField
          {...field.number('defaultValidityDays')}
          description="From the quote date, unless a contract or promotion ends earlier."
          suffix="days"
          min={1}
          max={730}
          decimals={0}
        />
        <Select
          label={LABELS.pricePlaces}
          description="Applies to prices calculated from a percentage or from another unit. Manual and agreed prices keep their decimal places. Existing quotes change when a line is repriced."
          allowDeselect={false}
          data={PLACES}
          value={String(values.pricePlaces)}
          error={errors['pricePlaces']}
          onChange={(places) => places && set({ pricePlaces: places === '2' ? 2 : 4 })}
        />
      </SimpleGrid>
      <Checkbox
        {...field.check('showPictures')}
        description="Item pictures in the PDF and on the customer’s page. The sender can change this for each quote. Quotes already sent do not change."
      />
    </RecordForm>
  );
}

function inWords(field: string, value: unknown): string | undefined {
  return field === 'pricePlaces' ? PLACES.find((place) => place.value === String(Number(value)))?.label : undefined;
}

function Terms({ terms }: { terms: Kept['terms'] }) {
  const [newest, ...older] = terms;
  const [text, setText] = useState(newest?.text ?? '');
  const [openVersion, setOpenVersion] = useState<number | null>(null);
  const save = useMutation({
    ...api(CompanyAdmin).SaveTerms.mutation(),
    onSuccess: (saved) => {
      notifications.show({ message: `Terms saved. Quotes sent from now on use version ${saved.version}.` });
    },
  });
  return (
    <Form label="Terms" onSubmit={() => save.mutate({ text, version: newest?.version ?? 0 })}>
      <Stack gap="sm">
        <Textarea
          aria-label="Text of the terms"
          autosize
          minRows={5}
          maxRows={24}
          maxLength={20_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorAlert error={save.error} title="The terms could not be saved" />
        <Group justify="space-between">
          <Text size="sm" className="muted">
            {newest
              ? `Version ${newest.version}, saved ${formatDate(newest.createdAt)}, used on ${countOf(newest.quotes, 'sent quote')}.`
              : 'No terms yet.'}{' '}
            Quotes already sent keep their version.
          </Text>
          <Button type="submit" loading={save.isPending} disabled={!text.trim() || text.trim() === newest?.text}>
            Save as a new version
          </Button>
        </Group>
        {older.map((entry) => (
          <div key={entry.version}>
            <Button
              variant="subtle"
              size="compact-sm"
              aria-expanded={openVersion === entry.version}
              onClick={() => setOpenVersion(openVersion === entry.version ? null : entry.version)}
            >
              Version {entry.version}, saved {formatDate(entry.createdAt)}, used on{' '}
              {countOf(entry.quotes, 'sent quote')}
            </Button>
            {openVersion === entry.version ? (
              <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
                {entry.text}
              </Text>
            ) : null}
          </div>
        ))}
      </Stack>
    </Form>
  );
}

function Currencies({ currencies }: { currencies: Kept['currencies'] }) {
  return (
    <>
      <Text size="sm" className="muted">
        A facility's currency index determines the currency of its quotes: 1009 means euro; any other means US dollar.
        Imported prices have their own currency index.
      </Text>
      {currencies.length === 0 ? (
        <Text size="sm">No facilities or prices yet.</Text>
      ) : (
        <Table fz="sm" aria-label="Currencies">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Index</Table.Th>
              <Table.Th>Currency</Table.Th>
              <Table.Th ta="right">Facilities</Table.Th>
              <Table.Th ta="right">Items with a list price</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="tabular">
            {currencies.map((currency) => (
              <Table.Tr key={currency.currnIdx}>
                <Table.Td>{currency.currnIdx}</Table.Td>
                <Table.Td>{currency.currency}</Table.Td>
                <Table.Td ta="right">{currency.facilities.toLocaleString('en-US')}</Table.Td>
                <Table.Td ta="right">{currency.items.toLocaleString('en-US')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
