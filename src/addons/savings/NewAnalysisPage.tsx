// A new savings analysis: the facility, the months that the figures cover, and the customer's file or its pasted rows.
import { Anchor, Button, FileButton, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { forbidden, HttpError } from '#platform/api/http-error.ts';
import { type FacilityHit, FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { QUOTING_ROLES, startsQuotes } from '#platform/shared/roles.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { useAddress } from '#platform/ui/address.web.ts';
import { Card } from '#platform/ui/Card.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useFileDrop } from '#platform/ui/file-drop.web.ts';
import { Form } from '#platform/ui/Form.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { FacilitiesOfFile, isDecided, type Whose } from './FacilitiesOfFile.tsx';
import { Savings } from './savings.contract.ts';

const ACCEPTED = '.csv,.txt,.tsv,.xlsx,.gz';
const MAX_MONTHS = 60;
type Source = 'file' | 'paste';

export function NewAnalysisPage() {
  const user = useSession();
  const { facility } = useAddress();
  if (user && !startsQuotes(user)) throw forbidden(QUOTING_ROLES);
  const id = Number(facility) > 0 ? Number(facility) : null;
  return (
    <FormPage
      title="New Savings Analysis"
      back={
        <Anchor component={Link} to={paths.savingsAnalyses} size="sm">
          ‹ Savings Analyses
        </Anchor>
      }
    >
      <Card title="New Savings Analysis" hideTitle>
        <AnalysisForm key={id ?? ''} facilityId={id} />
      </Card>
    </FormPage>
  );
}

function AnalysisForm({ facilityId }: { facilityId: number | null }) {
  const navigate = useNavigate();
  // Undefined until the user chooses. Until then the address decides.
  const [picked, setPicked] = useState<FacilityHit | null>();
  const [name, setName] = useState('');
  const [months, setMonths] = useState(12);
  const [source, setSource] = useState<Source>('file');
  const [file, setFile] = useState<File | null>(null);
  const [pasted, setPasted] = useState('');
  const [tried, setTried] = useState(false);
  const isRead = useRef(false);
  const values = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: facilityId ?? 0 }),
    enabled: facilityId !== null,
  });
  const facility = picked === undefined ? (values.data ?? null) : picked;
  // Set only if the server cannot tell which facility the rows belong to.
  const [whose, setWhose] = useState<Whose | null>(null);
  const upload = useMutation({
    mutationFn: async (input: Parameters<ReturnType<typeof api<typeof Savings>>['UploadUsageFile']>[0]) => {
      try {
        return await api(Savings).UploadUsageFile(input);
      } catch (error) {
        if (!isAboutFacilities(error) || !input.file) throw error;
        const { facilities: named, more } = await api(Savings).FindUsageFacilities({ file: input.file });
        setTried(false);
        setWhose((before) => ({
          named,
          more,
          theirs: named.map((entry, at) => before?.theirs[at] ?? entry.facility ?? undefined),
          divide: more ? 'none' : 'by-facility',
        }));
        if (whose) throw error;
        return null;
      }
    },
    meta: { blocking: true },
  });
  const rows = source === 'file' ? file : asFile(pasted);
  const isWork = file !== null || pasted.trim() !== '';
  useUnsaved(isWork, undefined, (isOtherScreen) => isOtherScreen && !isRead.current);
  const submit = useOnce(async () => {
    setTried(true);
    if (!facility || !rows || Number.isNaN(months) || (whose && !isDecided(whose))) return;
    const created = await upload.mutateAsync({
      facilityId: facility.id,
      months,
      name: name.trim(),
      file: rows,
      ...(whose ? { divide: whose.divide } : {}),
      ...(whose?.divide === 'by-facility'
        ? { facilities: JSON.stringify(whose.theirs.map((entry) => entry?.id ?? null)) }
        : {}),
    });
    if (!created) return;
    if (created.others.length > 0)
      notifications.show({ message: `${created.others.length + 1} analyses were created, one for each facility.` });
    isRead.current = true;
    await navigate({
      to: created.others.length > 0 ? paths.savingsAnalyses : paths.savingsAnalysis(created.id),
      replace: true,
    });
  });
  return (
    <Form label="New Savings Analysis" onSubmit={submit}>
      <Stack gap="md">
        <FacilityField
          chosen={facility ? `${facility.name}, acct. ${facility.acctNo}` : null}
          error={tried && !facility ? 'Choose the facility' : undefined}
          onChange={setPicked}
        />
        <ErrorAlert error={picked === undefined ? values.error : null} title="The facility could not be loaded" />
        <TextInput
          label="Name"
          description="Leave empty to use the file name."
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NumberField
          label="Months covered"
          description="Quantities are scaled to 12 months. Annual quantities stay as they are."
          required
          w={{ base: '100%', xs: 320 }}
          min={1}
          max={MAX_MONTHS}
          decimals={0}
          suffix="months"
          value={months}
          error={Number.isNaN(months) ? `Enter a number from 1 to ${MAX_MONTHS}` : undefined}
          onChange={setMonths}
        />
        <SegmentedControl
          aria-label="Source of the rows"
          w="fit-content"
          value={source}
          data={[
            { value: 'file', label: 'Upload file' },
            { value: 'paste', label: 'Paste rows' },
          ]}
          onChange={(next) => {
            setSource(next === 'paste' ? 'paste' : 'file');
            setWhose(null);
          }}
        />
        {source === 'file' ? (
          <FileField
            file={file}
            error={tried && !file}
            onChange={(next) => {
              setFile(next);
              setWhose(null);
            }}
          />
        ) : (
          <Textarea
            label="Rows from a spreadsheet or an email"
            description="Paste rows with their column headings, or the text of an email, such as 20 cs nitrile gloves M, 4 bx 18g IV caths."
            required
            autosize
            minRows={8}
            maxRows={18}
            error={tried && !rows ? 'Paste the rows' : undefined}
            placeholder={
              'Item #\tMfr\tMfr #\tDescription\tUOM\tQty\tPrice\n4471-B\tMedline\tMDS1234\tExam glove nitrile M\tCS\t40\t88.20'
            }
            value={pasted}
            onChange={(event) => {
              setPasted(event.currentTarget.value);
              setWhose(null);
            }}
          />
        )}
        {whose && facility ? (
          <FacilitiesOfFile whose={whose} chosen={facility.name} tried={tried} onChange={setWhose} />
        ) : null}
        <ErrorAlert error={upload.error} title="The rows could not be read" onClose={upload.reset} />
        <DialogButtons onCancel={() => void navigate({ to: paths.savingsAnalyses })}>
          <Button type="submit" loading={upload.isPending}>
            Read rows
          </Button>
        </DialogButtons>
      </Stack>
    </Form>
  );
}

const isAboutFacilities = (error: unknown): boolean =>
  error instanceof HttpError && (error.errors ?? []).some(({ path }) => path === 'facilities');

/** Uploads pasted rows as a text file, because they may be as long as one. */
function asFile(pasted: string): File | null {
  return pasted.trim() === '' ? null : new File([pasted], 'Pasted rows.txt', { type: 'text/plain' });
}

type FileProps = { file: File | null; error: boolean; onChange: (file: File | null) => void };

/** The file field, which also accepts a dropped file. */
function FileField({ file, error, onChange }: FileProps) {
  const { over, area } = useFileDrop(({ files }) => onChange(files[0] ?? null));
  return (
    <Stack
      gap="xs"
      p="md"
      {...area}
      style={{ border: `1px dashed var(${over ? '--mantine-primary-color-filled' : '--app-line'})`, borderRadius: 6 }}
    >
      <TextInput
        label="The customer's file"
        required
        readOnly
        placeholder="Drop a file here, or choose one"
        value={file ? `${file.name}, ${sizeText(file.size)}` : ''}
        error={error ? 'Choose a file' : undefined}
        rightSectionWidth={124}
        rightSection={
          <FileButton onChange={onChange} accept={ACCEPTED}>
            {(props) => (
              <Button {...props} size="compact-sm" variant="default" leftSection={<IconUpload size={14} aria-hidden />}>
                Choose file
              </Button>
            )}
          </FileButton>
        }
      />
      <Text size="sm" className="muted">
        CSV, tab-separated text or Excel (.xlsx), optionally compressed (.gz). Columns can be in any order: item number,
        manufacturer and its number, description, unit, pack, quantity, price.
      </Text>
    </Stack>
  );
}
