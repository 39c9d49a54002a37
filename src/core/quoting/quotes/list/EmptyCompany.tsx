// The first run: shows what a company needs before it can write quotes, with links for administrators and contacts for other users.
import { Anchor, List, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { Lookups } from './quote-page.web.ts';

const STEPS = {
  people: {
    title: 'People',
    what: 'your sales, service and approval staff',
    to: paths.users,
    search: {},
    where: 'Add users',
  },
  facilities: {
    title: 'Facilities',
    what: 'the customers you quote',
    to: paths.dataImport,
    search: { kind: 'facilities' },
    where: 'Import facilities',
  },
  items: {
    title: 'Items',
    what: 'the products you sell, with units and prices',
    to: paths.dataImport,
    search: { kind: 'items' },
    where: 'Import items, units and prices',
  },
} as const;

export default function EmptyCompany({ setup }: { setup: Lookups['setup'] }) {
  const user = useSession();
  const { missing, administrators } = setup;
  if (!user) return null;
  return (
    <section className="card" aria-labelledby="setup-title" style={{ padding: 16 }}>
      <Title order={2} id="setup-title">
        Before your first quote
      </Title>
      {hasRole(user, 'systemadmin') ? (
        <List type="ordered" size="sm" mt="xs" spacing={6}>
          {missing.map((step) => (
            <List.Item key={step}>
              <b>{STEPS[step].title}</b>: {STEPS[step].what}.{' '}
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(props) => <Link {...props} to={STEPS[step].to} search={STEPS[step].search} />}
              >
                {STEPS[step].where}
              </Anchor>
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm" mt="xs">
          {capitalized(missing.map((step) => STEPS[step].title.toLowerCase()).join(' and '))} have not been added yet.
          Ask {administrators.length > 0 ? administrators.join(' or ') : 'your administrator'} to add them.
        </Text>
      )}
    </section>
  );
}
