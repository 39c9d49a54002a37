// The page for a new user, who is added and invited by mail.
import { Anchor, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { Card } from '#platform/ui/Card.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { UserForm } from './UserForm.tsx';
import { UserEdit } from './user-admin.contract.ts';

export default function UserSignupPage() {
  const navigate = useNavigate();
  const edit = useQuery({ ...api(UserEdit).GetUserEditData.query({ id: 0 }), ...READ_ANEW });
  return (
    <FormPage
      title="Add User"
      back={
        <Anchor component={Link} to={paths.users} size="sm">
          ‹ Users
        </Anchor>
      }
    >
      <Card title="Add User" hideTitle>
        {edit.error ? (
          <ErrorAlert error={edit.error} title="The form could not be loaded" onRetry={edit.refetch} />
        ) : null}
        {edit.data ? (
          <UserForm
            edit={edit.data}
            onSaved={(user) => {
              notifications.show({
                message: `${user.fullName} is added. The invitation is on its way to ${user.userName}.`,
              });
              void navigate({ to: paths.editUser(user.id), replace: true });
            }}
            onCancel={() => void navigate({ to: paths.users })}
          />
        ) : edit.error ? null : (
          <Skeleton height={320} aria-label="Loading" />
        )}
      </Card>
    </FormPage>
  );
}
