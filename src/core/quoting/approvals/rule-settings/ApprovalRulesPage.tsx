// The page on which administrators add, order and deactivate approval rules, and try them on a quote.
import {
  ActionIcon,
  Box,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Pill,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { HistorySection } from '#platform/history/HistoryPanel.tsx';
import { formatAmount } from '#platform/shared/money.ts';
import { ActiveChip } from '#platform/ui/Active.tsx';
import { APPROVER_ROLES, ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { Form } from '#platform/ui/Form.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { ListPage } from '#platform/ui/ListPage.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { METRICS, type Metric } from '../approval-shapes.ts';
import { type ApprovalRule, ApprovalRuleInput, ApprovalRules, OPERATORS } from './approval-rules.contract.ts';
import { METRIC_LABELS } from './metric-labels.ts';
import { RemindersCard } from './RemindersCard.tsx';

type Kept = OutputOf<typeof ApprovalRules.GetApprovalRules>;

const NEW: ApprovalRule = {
  id: 0,
  name: '',
  metric: 'discountPct',
  operator: '>',
  threshold: 0,
  filters: { classIds: [], regionIds: [], facilityIds: [], requesterRoles: [] },
  role: 'salesQuoteManager',
  active: true,
  version: 0,
};

export default function ApprovalRulesPage() {
  const stored = useQuery({ ...api(ApprovalRules).GetApprovalRules.query({}), staleTime: 0 });
  const order = useMutation({
    ...api(ApprovalRules).OrderApprovalRules.mutation(),
  });
  const [editing, setEditing] = useState<ApprovalRule | null>(null);
  const rules = stored.data?.rules;
  const move = (rule: ApprovalRule, by: number) => {
    const ids = (rules ?? []).map(({ id }) => id);
    const from = ids.indexOf(rule.id);
    ids.splice(from + by, 0, ...ids.splice(from, 1));
    order.mutate({ ids });
  };
  return (
    <AllAtOnce
      screen="approval rules and reminders"
      first={
        <Title order={1} p="md">
          Approval Rules
        </Title>
      }
    >
      <ListPage
        title="Approval Rules"
        hint="When a rule fires, someone with the rule's role must approve the quote before it is sent."
        noun={['rule', 'rules']}
        total={rules?.length}
        actions={<AddButton label="Add Rule" disabled={!stored.data} onAdd={() => setEditing(NEW)} />}
        alert={<ErrorAlert error={order.error} title="The rule could not be moved" onClose={order.reset} />}
        filters={null}
      >
        <DataList
          label="Approval rules"
          columns={columnsOf({ kept: stored.data, onOpen: setEditing, onMove: move, busy: order.isPending })}
          rows={rules}
          rowKey={(rule) => rule.id}
          onOpen={setEditing}
          card={(rule) => (
            <Stack gap={2}>
              <Group justify="space-between" wrap="nowrap">
                <RowLink name={rule.name} onOpen={() => setEditing(rule)} />
                <ActiveChip active={rule.active} />
              </Group>
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm">
                  {conditionOf(rule)} · {ROLE_LABELS[rule.role]}
                </Text>
                <MoveButtons rule={rule} rules={rules ?? []} onMove={move} busy={order.isPending} />
              </Group>
            </Stack>
          )}
          error={stored.error}
          onRetry={() => void stored.refetch()}
        />
        {editing && stored.data ? (
          <RecordDrawer title={editing.id ? 'Edit Rule' : 'Add Rule'} size="lg" onClose={() => setEditing(null)}>
            <RuleForm rule={editing} kept={stored.data} onClose={() => setEditing(null)} />
          </RecordDrawer>
        ) : null}
      </ListPage>
      {stored.data ? (
        <Box px={{ base: 0, sm: 'md' }} pb="md">
          <RemindersCard reminders={stored.data.reminders} />
        </Box>
      ) : null}
    </AllAtOnce>
  );
}

type ColumnProps = {
  kept: Kept | undefined;
  onOpen: (rule: ApprovalRule) => void;
  onMove: (rule: ApprovalRule, by: number) => void;
  busy: boolean;
};

const columnsOf = ({ kept, onOpen, onMove, busy }: ColumnProps): Column<ApprovalRule>[] => [
  {
    title: 'Order',
    render: (rule) => <MoveButtons rule={rule} rules={kept?.rules ?? []} onMove={onMove} busy={busy} />,
  },
  { title: 'Rule', width: 320, render: (rule) => <RowLink name={rule.name} onOpen={() => onOpen(rule)} /> },
  { title: 'Needs approval when', render: conditionOf },
  { title: 'Only for', width: 320, render: (rule) => (kept ? filtersOf(rule, kept) : '') },
  { title: 'Who approves', render: (rule) => ROLE_LABELS[rule.role] },
  { title: 'Active', render: (rule) => <ActiveChip active={rule.active} /> },
];

type MoveProps = { rule: ApprovalRule; rules: ApprovalRule[] } & Pick<ColumnProps, 'onMove' | 'busy'>;

function MoveButtons({ rule, rules, onMove, busy }: MoveProps) {
  const place = rules.indexOf(rule);
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={busy || place === 0}
        aria-label={`Move ${rule.name} up`}
        onClick={() => onMove(rule, -1)}
      >
        <IconArrowUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={busy || place === rules.length - 1}
        aria-label={`Move ${rule.name} down`}
        onClick={() => onMove(rule, 1)}
      >
        <IconArrowDown size={16} />
      </ActionIcon>
    </Group>
  );
}

function conditionOf({ metric, operator, threshold }: ApprovalRule): string {
  return `${METRIC_LABELS[metric]} ${operator} ${threshold.toLocaleString('en-US', { maximumFractionDigits: 4 })}`;
}

function filtersOf({ filters }: ApprovalRule, stored: Kept): string {
  const names = (ids: number[], target: { id: number; name: string }[]) =>
    ids.map((id) => target.find((candidate) => candidate.id === id)?.name ?? `#${id}`);
  return [
    ...names(filters.classIds, stored.classes),
    ...names(filters.regionIds, stored.regions),
    ...names(filters.facilityIds, stored.facilities),
    ...filters.requesterRoles.map((role) => ROLE_LABELS[role]),
  ].join(', ');
}

const LABELS = {
  name: 'Name',
  metric: 'Metric',
  operator: 'Comparison',
  threshold: 'Limit',
  filters: 'Only for',
  role: 'Who approves',
  active: 'Active',
};

function RuleForm({ rule, kept, onClose }: { rule: ApprovalRule; kept: Kept; onClose: () => void }) {
  const form = useRecordForm({
    record: rule,
    schema: ApprovalRuleInput,
    save: (values) => api(ApprovalRules).SaveApprovalRule(values),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, ApprovalRuleInput, LABELS);
  const filter = (patch: Partial<ApprovalRule['filters']>) => set({ filters: { ...values.filters, ...patch } });
  return (
    <Stack>
      <RecordForm
        form={form}
        label="Approval rule"
        labels={LABELS}
        inWords={(field, value) =>
          field === 'filters'
            ? filtersOf({ ...values, filters: value as ApprovalRule['filters'] }, kept) || 'all'
            : field === 'metric'
              ? METRIC_LABELS[value as Metric]
              : field === 'role'
                ? ROLE_LABELS[value as Role]
                : undefined
        }
        onCancel={onClose}
      >
        <TextInput {...field.text('name')} description="Shown to users when the rule fires." data-autofocus />
        <Group align="end" grow preventGrowOverflow={false}>
          <Select
            label="Figure"
            allowDeselect={false}
            data={METRICS.map((metric) => ({ value: metric, label: METRIC_LABELS[metric] }))}
            value={values.metric}
            onChange={(metric) => metric && set({ metric })}
          />
          <Select
            label="is"
            w={80}
            allowDeselect={false}
            data={[...OPERATORS]}
            value={values.operator}
            onChange={(operator) => operator && set({ operator })}
          />
          <NumberField
            label="Limit"
            required
            // Only a margin can be negative.
            {...(values.metric === 'marginPct' ? {} : { min: 0 })}
            value={values.threshold}
            error={errors['threshold']}
            onChange={(threshold) => set({ threshold })}
          />
        </Group>
        <Select
          label="Who approves"
          allowDeselect={false}
          data={APPROVER_ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
          value={values.role}
          error={errors['role']}
          onChange={(role) => role && set({ role })}
        />
        <MultiSelect
          label="Only for item classes"
          placeholder={values.filters.classIds.length === 0 ? 'All' : ''}
          searchable
          data={kept.classes.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.filters.classIds.map(String)}
          error={errors['filters.classIds']}
          onChange={(ids) => filter({ classIds: ids.map(Number) })}
        />
        <MultiSelect
          label="Only for regions"
          placeholder={values.filters.regionIds.length === 0 ? 'All' : ''}
          searchable
          data={kept.regions.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.filters.regionIds.map(String)}
          error={errors['filters.regionIds']}
          onChange={(ids) => filter({ regionIds: ids.map(Number) })}
        />
        <FacilityFilter
          ids={values.filters.facilityIds}
          known={kept.facilities}
          error={errors['filters.facilityIds']}
          onChange={(facilityIds) => filter({ facilityIds })}
        />
        <MultiSelect
          label="Only when requested by"
          placeholder={values.filters.requesterRoles.length === 0 ? 'Anyone' : ''}
          data={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
          value={values.filters.requesterRoles}
          onChange={(roles) => filter({ requesterRoles: roles })}
        />
        <Checkbox
          label="Active"
          checked={values.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
      </RecordForm>
      <TryOut draft={values} />
      <HistorySection type="approvalRule" id={rule.id} />
    </Stack>
  );
}

type FacilityFilterProps = {
  ids: number[];
  known: Named[];
  error: string | undefined;
  onChange: (ids: number[]) => void;
};

/** There are too many facilities to list, so the user searches for each one by name. */
function FacilityFilter({ ids, known, error, onChange }: FacilityFilterProps) {
  const [picked, setPicked] = useState<Named[]>([]);
  const nameOf = (id: number) => [...known, ...picked].find((candidate) => candidate.id === id)?.name ?? `#${id}`;
  return (
    <div>
      <FacilityPicker
        label="Only for facilities"
        error={error}
        onPick={({ id, name }) => {
          setPicked((now) => [...now, { id, name }]);
          if (!ids.includes(id)) onChange([...ids, id]);
        }}
      />
      <Pill.Group mt={4}>
        {ids.map((id) => (
          <Pill
            key={id}
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${nameOf(id)}` }}
            onRemove={() => onChange(ids.filter((candidate) => candidate !== id))}
          >
            {nameOf(id)}
          </Pill>
        ))}
      </Pill.Group>
    </div>
  );
}

/** Tests all rules on a quote, with this rule as typed in the form. */
function TryOut({ draft }: { draft: ApprovalRule }) {
  const [num, setNum] = useState(Number.NaN);
  const [requesterRole, setRequesterRole] = useState<Role>('csrep');
  const tried = useMutation(api(ApprovalRules).TryApprovalRules.mutation());
  const { data } = tried;
  return (
    <section className="card" aria-label="Test on a quote">
      <Form
        label="Test on a quote"
        onSubmit={() => {
          if (num > 0)
            tried.mutate({ num, requesterRole, draft: ApprovalRuleInput.safeParse(draft).success ? draft : null });
        }}
      >
        <Stack p="md" gap="sm">
          <Title order={2} size="h6">
            Test on a quote
          </Title>
          <Group align="end">
            <NumberField label="Quote #" w={120} min={1} decimals={0} value={num} onChange={setNum} />
            <Select
              label="requested by"
              w={240}
              allowDeselect={false}
              data={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
              value={requesterRole}
              onChange={(role) => role && setRequesterRole(role)}
            />
            <Button type="submit" variant="default" disabled={!(num > 0)} loading={tried.isPending}>
              Try
            </Button>
          </Group>
          <ErrorAlert error={tried.error} />
          {data ? (
            <div role="status">
              <Text size="sm" className="muted">
                {data.number} · {data.facilityName} · {formatAmount(data.totalAmount, data.currnIdx)}
              </Text>
              {data.fired.length === 0 ? <Text size="sm">No rule fires. The quote can be sent as is.</Text> : null}
              {data.fired.map((rule) => (
                <Text key={rule.ruleId} size="sm" fw={rule.ruleId === draft.id ? 600 : 400}>
                  {rule.name}: {rule.text} → {ROLE_LABELS[rule.role]}
                </Text>
              ))}
            </div>
          ) : null}
        </Stack>
      </Form>
    </section>
  );
}
