// The frame of every screen except the customer's: header, errors, footer; in print view only the errors. SignedInShell contains the parts that would
// slow down signing in.
import { Anchor, Box, Group, Text } from '@mantine/core';
import { useIsFetching } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { APP_VERSION, COPYRIGHT_YEAR } from '#platform/shared/app-info.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { LogoPicture } from '#platform/ui/LogoPicture.tsx';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { useCompanyLogo } from '#platform/ui/company-logo.web.ts';
import { isPrintView } from '#platform/ui/printing.web.ts';
import { setGlobalError, useGlobalError } from '#platform/ui/global-error.web.ts';
import classes from './Frame.module.css';

type Props = {
  /** The target of the logo. */
  start: string;
  /** Appears before the logo. */
  menu?: ReactNode;
  toolbar: ReactNode;
  /** Appear below the toolbar, or in its row if there is space. */
  tabs?: ReactNode;
  hello?: string;
  /** Appears above the screen: the link back to the list from which the user came. */
  back?: ReactNode;
};

export function Frame({ start, menu, toolbar, tabs, hello = '', back }: Props) {
  const error = useGlobalError();
  const logo = useCompanyLogo();
  // The code of the next screen is loading, and the old screen is still shown.
  const waits = useRouterState({
    select: ({ isLoading, location, matches }) => isLoading && location.pathname !== matches.at(-1)?.pathname,
  });
  // Content that loads now may move the content below it.
  const isReading = useIsFetching({ type: 'active', predicate: ({ state }) => state.data === undefined }) > 0;
  const alert = error ? (
    <Box px="md" pt="sm">
      <ErrorAlert error={error} onClose={() => setGlobalError(null)} />
    </Box>
  ) : null;
  if (isPrintView(useLocation().search)) {
    return (
      <main id="main">
        {alert}
        <Outlet />
      </main>
    );
  }
  return (
    <div className={classes['frame']} data-tabs={tabs ? '' : undefined}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <header className={`${classes['header']} no-print`}>
        <Group gap="sm" wrap="nowrap" miw={0} className={classes['start']}>
          {menu}
          <Anchor component={Link} to={start} underline="never" c="inherit" miw={0}>
            <Group gap={logo ? 12 : 8} wrap="nowrap" className={classes['title']} data-logo={logo ? '' : undefined}>
              <LogoPicture logo={logo} box={{ width: 120, height: 28 }} instead={<Logo />} />
              <Text fw={600} size="lg" className="ellipsis">
                {appConfig.title}
              </Text>
            </Group>
          </Anchor>
        </Group>
        {tabs}
        <Group gap="xs" wrap="nowrap" className={classes['toolbar']}>
          {toolbar}
        </Group>
      </header>
      <main id="main" tabIndex={-1} className={classes['main']} {...(waits ? { 'aria-busy': true } : {})}>
        {alert}
        {back ? (
          <Box px="md" pt="xs" className="no-print">
            {back}
          </Box>
        ) : null}
        <Box className={classes['content']}>
          <Outlet />
        </Box>
        <Group
          component="footer"
          justify="space-between"
          px="md"
          py="sm"
          className={`${classes['footer']} no-print muted`}
          data-waits={isReading ? '' : undefined}
        >
          <Text size="xs">{hello}</Text>
          <Text size="xs">
            Version {APP_VERSION} · © {COPYRIGHT_YEAR} {appConfig.companyName}
          </Text>
        </Group>
      </main>
    </div>
  );
}

/** The product's logo: a quote sheet with a checked price line. */
function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <rect x="3" y="2" width="18" height="20" rx="3" fill="var(--mantine-primary-color-filled)" />
      <path d="M7 7h10M7 11h6" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" />
      <path
        d="m8 16.2 2.2 2.1 5.6-5.4"
        stroke="#fff"
        strokeWidth="1.8"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
