// The list of users, with their roles and last visits.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { ActiveFilter, activeOrNot } from '#platform/ui/Active.tsx';
import { AddLink } from '#platform/ui/AddButton.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { User, UserEdit, type UserRow } from './user-admin.contract.ts';
import { StateChip, whenUsed } from './user-words.tsx';

export default function UsersPage() {
  const navigate = useNavigate();
  const list = useRecordList({
    name: 'users',
    filters: { keyword: '', role: '', active: 'true' },
    sort: { field: 'fullName', dir: 'asc' },
    criteria: ({ keyword, role, active }) => ({
      keyword,
      role: ROLES.find((candidate) => candidate === role) ?? null,
      active: active === 'waiting' ? null : activeOrNot(active),
      notInvited: active === 'waiting',
    }),
    find: api(User).SearchUsers,
    exported: api(User).ExportUsers,
  });

  return (
    <ListPage
      title="Users"
      noun={['user', 'users']}
      {...list.page}
      actions={
        <>
          {list.criteria.notInvited && list.page.total ? <InviteAll /> : null}
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
          <KeywordField label="Name, email or phone" {...list.field('keyword')} />
          <FilterSelect
            label="Role"
            w={230}
            all="All roles"
            choices={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
            {...list.field('role')}
          />
          <ActiveFilter {...list.field('active')} also={[{ value: 'waiting', label: 'Not invited' }]} />
        </>
      }
    >
      <DataList
        label="Users"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.editUser(row.id)}
        onOpen={(row) => void navigate({ to: paths.editUser(row.id) })}
        card={cardOf}
      />
    </ListPage>
  );
}

/** Imported users have no password; this invites all of them at once. */
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
          title="Invite everyone who has not been invited?"
          action="Invite all"
          busy={invite.isPending}
          error={invite.error}
          onConfirm={() => invite.mutate({})}
          onClose={() => setAsking(false)}
        >
          Each active user who has neither a password nor an invitation gets an email with a link, regardless of the
          filter.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const COLUMNS: Column<UserRow>[] = [
  { field: 'fullName', title: 'Name', width: 240, render: (row) => <UserLink row={row} /> },
  { field: 'userName', title: 'Email', width: 260, render: (row) => <span title={row.userName}>{row.userName}</span> },
  { title: 'Roles', width: 260, render: (row) => <Whole text={rolesInWords(row.roles)} /> },
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
        {rolesInWords(row.roles)} · last used {whenUsed(row.lastUsedAt)}
      </Text>
      {serves ? (
        <Text size="sm" className="muted">
          {serves}
        </Text>
      ) : null}
    </Stack>
  );
}

function rolesInWords(roles: readonly Role[]): string {
  return roles.map((role) => ROLE_LABELS[role]).join(', ');
}

/** Returns the names of the managed regions and the supported reps. */
function servesOf({ regions, reps }: UserRow): string {
  return [...regions, ...reps].map(({ name }) => name).join(', ');
}
