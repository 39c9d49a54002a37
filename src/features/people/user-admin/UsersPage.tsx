// The list of users, with their roles and last visits.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { countOf } from '#shared/count-of.ts';
import { paths } from '#shared/paths.ts';
import { ROLE_LABELS, ROLES, type Role } from '#shared/roles.ts';
import { ActiveFilter, activeOrNot } from '#ui/Active.tsx';
import { AddLink } from '#ui/AddButton.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { FilterSelect } from '#ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { filtersIn, pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { User, UserEdit, type UserRow } from './user-admin.contract.ts';
import { StateChip, whenUsed } from './user-words.tsx';

const PAGE_SIZE = 50;

const NO_FILTERS = { keyword: '', role: '', active: 'true' };
const criteriaOf = ({ keyword, role, active }: typeof NO_FILTERS) => ({
  keyword,
  role: ROLES.find((one) => one === role) ?? null,
  active: active === 'waiting' ? null : activeOrNot(active),
  notInvited: active === 'waiting',
});

export default function UsersPage() {
  const navigate = useNavigate();
  const list = useListAddress('users', NO_FILTERS, { field: 'fullName', dir: 'asc' });
  const { keyword, role, active } = list.filters;
  const criteria = { ...criteriaOf(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(User).SearchUsers.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(User).ExportUsers.mutation(), onSuccess: saveFile });

  return (
    <ListPage
      title="Users"
      noun={['user', 'users']}
      total={found.data?.total}
      countOf={(view) => api(User).SearchUsers({ ...criteriaOf(filtersIn(view, NO_FILTERS)), page: 1, pageSize: 1 })}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={
        <>
          {active === 'waiting' && found.data && found.data.total > 0 ? <InviteAll /> : null}
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to={paths.dataImport} search={{ kind: 'users' }} />}
          >
            Import from a file
          </Button>
          <AddLink label="Add User" to={paths.newUser} />
        </>
      }
      filters={
        <>
          <KeywordField
            label="Name, email or phone"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <FilterSelect
            label="Role"
            w={230}
            all="All roles"
            choices={ROLES.map((one) => ({ value: one, label: ROLE_LABELS[one] }))}
            value={role}
            onChange={(next) => list.filter({ role: next })}
          />
          <ActiveFilter
            value={active}
            onChange={(next) => list.filter({ active: next })}
            also={[{ value: 'waiting', label: 'Not invited' }]}
          />
        </>
      }
    >
      <DataList
        label="Users"
        columns={COLUMNS}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        rowHref={(row) => paths.editUser(row.id)}
        onOpen={(row) => void navigate({ to: paths.editUser(row.id) })}
        card={cardOf}
      />
    </ListPage>
  );
}

/** Imported people have no password; this invites all of them at once. */
function InviteAll() {
  const [asking, setAsking] = useState(false);
  const invite = useMutation({
    ...api(UserEdit).InviteUsers.mutation(),
    onSuccess: ({ invited, left }) => {
      const rest = left > 0 ? ` ${countOf(left, 'more waits', 'more wait')}. Press the button again.` : '';
      notifications.show({ message: `${countOf(invited, 'invitation is', 'invitations are')} on the way.${rest}` });
      setAsking(false);
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Invite all
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Invite everybody who has not been invited?"
          action="Invite all"
          busy={invite.isPending}
          error={invite.error}
          onConfirm={() => invite.mutate({})}
          onClose={() => setAsking(false)}
        >
          Each active user who has neither a password nor an invitation gets a mail with a link, regardless of the
          filter.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const COLUMNS: Column<UserRow>[] = [
  { field: 'fullName', title: 'Name', width: 240, render: (row) => <UserLink row={row} /> },
  { field: 'userName', title: 'Email', width: 260, render: (row) => <span title={row.userName}>{row.userName}</span> },
  { title: 'Roles', width: 260, render: (row) => <Whole text={rolesOf(row.roles)} /> },
  { field: 'active', title: 'Active', render: (row) => <StateChip {...row} /> },
  {
    field: 'lastUsedAt',
    title: 'Last used',
    render: (row) => <span className="tabular">{whenUsed(row.lastUsedAt)}</span>,
  },
  { title: 'Regions / Reps', width: 260, render: (row) => <Whole text={servesOf(row) || '–'} /> },
];

function UserLink({ row }: { row: UserRow }) {
  return (
    <Anchor component={Link} to={paths.editUser(row.id)} fw={600} title={row.fullName}>
      {row.fullName}
    </Anchor>
  );
}

function Whole({ text }: { text: string }) {
  return <span title={text}>{text}</span>;
}

function cardOf(row: UserRow) {
  const serves = servesOf(row);
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <UserLink row={row} />
        <StateChip {...row} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {row.userName}
      </Text>
      <Text size="sm" className="muted">
        {rolesOf(row.roles)} · last used {whenUsed(row.lastUsedAt)}
      </Text>
      {serves ? (
        <Text size="sm" className="muted">
          {serves}
        </Text>
      ) : null}
    </Stack>
  );
}

function rolesOf(roles: readonly Role[]): string {
  return roles.map((role) => ROLE_LABELS[role]).join(', ');
}

/** The regions managed and the reps supported, by name. */
function servesOf({ regions, reps }: UserRow): string {
  return [...regions, ...reps].map(({ name }) => name).join(', ');
}
