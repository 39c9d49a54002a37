// The head of the board: number, status, facility, totals, validity, and the next actions.
import {
  ActionIcon,
  Anchor,
  Button,
  CopyButton,
  Group,
  Menu,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconDots, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { useRecentPlace } from '#platform/recent-records/recent-records.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { FollowUpStrip } from '#core/quoting/follow-up/FollowUpStrip.tsx';
import { boxesInWords } from '#core/quoting/quote-pdf/letters-of-document.ts';
import type { AllowedAction } from '#core/quoting/quote-workflow/workflow.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, isInternal, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import { cameFrom } from '#platform/ui/came-from.web.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { later } from '#platform/ui/later.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { hideMessage, replaceMessage } from '#platform/ui/replaced-message.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import classes from './board.module.css';
import { type Rail, RailSwitch } from './side-panels/RailSwitch.tsx';
import { allSaved, useBoard } from './state/board.web.ts';
import { SaveState } from './state/SaveState.tsx';
import { ActionDialog } from './steps/ActionDialog.tsx';

const DIALOG = { loading: <></>, failed: 'The dialog could not be loaded. Reload the page.' };
const SendDialog = later(() => import('./steps/SendDialog.tsx'), DIALOG);
const SaveAsTemplateDialog = later(() => import('./steps/SaveAsTemplateDialog.tsx'), DIALOG);

/** Loads after the board, which works without it. */
const Presence = later(() => import('./presence/Presence.tsx'), {
  loading: <></>,
  failed: 'The other people on this quote could not be loaded.',
});

type Props = {
  /** The tabs for the parts of the quote. A phone shows them below the next step. */
  parts: ReactNode;
  /** Called when a step finds a required field empty. The page may have to show that field first. */
  onMissing: (field: HTMLElement) => void;
};

export function BoardHead({ rail, ...props }: Props & { rail: Rail }) {
  const { data, view, store } = useBoard();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const { quote } = data;
  const number = quoteNumber(quote.num, quote.revision);
  useRecentPlace('quote', number, quote.facilityName);
  const title = (
    <>
      <WayBack />
      <Title order={1}>
        <CopyButton value={number}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy quote number'}>
              <UnstyledButton
                onClick={copy}
                style={{ font: 'inherit', cursor: 'copy' }}
                aria-label={`Copy quote number ${number}`}
              >
                {number}
              </UnstyledButton>
            </Tooltip>
          )}
        </CopyButton>
      </Title>
      <StatusChip statusId={quote.statusId} expired={quote.expired} />
    </>
  );
  const facility = (
    <Text fw={600} className="ellipsis">
      {quote.facilityId === null ? (
        quote.facilityName || 'No facility yet'
      ) : (
        <FacilityLink id={quote.facilityId} name={quote.facilityName} />
      )}
    </Text>
  );
  const total = (
    <Text size="sm" className="tabular" flex="none">
      Total <b style={{ whiteSpace: 'nowrap' }}>{formatAmount(quote.totalAmount, quote.currnIdx)}</b>
      {quote.fallbackTotal === null
        ? ''
        : `, provisional (${formatAmount(quote.fallbackTotal, quote.currnIdx)} without approval)`}
    </Text>
  );
  const heading = <PageTitle>{[`Quote ${number}`, quote.facilityName].filter(Boolean).join(' · ')}</PageTitle>;
  const followUp = (
    <FollowUpStrip
      quoteId={quote.id}
      lastSent={data.events.find(({ action }) => action === 'Send' || action === 'Resend')?.id ?? 0}
      onChange={() => void store.reloadActivity().catch(() => {})}
    />
  );
  if (narrow) {
    return (
      <header className={classes['head']}>
        {heading}
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            {title}
          </Group>
          <Actions {...props} />
        </Group>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          {facility}
          <Group gap="xs" wrap="nowrap" flex="none">
            <Presence />
            <SaveState />
            {total}
          </Group>
        </Group>
        {followUp}
      </header>
    );
  }
  return (
    <header ref={publishHeadHeight} className={classes['head']}>
      {heading}
      <Group justify="space-between" gap="xs">
        <Group gap="0 var(--mantine-spacing-lg)" flex={1} miw={0}>
          <Group gap="sm" miw={0} wrap="nowrap" className={classes['headTitle']}>
            {title}
            {facility}
            {quote.facilityAcctNo ? <Text className="muted tabular ellipsis">Acct. {quote.facilityAcctNo}</Text> : null}
            <Presence />
          </Group>
          <div className={classes['headFacts']} data-ends-with-price={quote.endsWithPrice || undefined}>
            {total}
            {view === 'internal' && typeof quote.marginPct === 'number' ? (
              <Text size="sm" className="tabular muted">
                Margin {formatPercent(quote.marginPct)}
              </Text>
            ) : null}
            <Text size="sm" c={quote.expired ? 'red' : undefined}>
              Valid until {formatDate(quote.validUntil)}
              {quote.endsWithPrice ? ' (a price ends then)' : ''}
            </Text>
            {quote.savings > 0 ? (
              <Text size="sm" className="tabular">
                Saves {formatAmount(quote.savings, quote.currnIdx)} off list price
              </Text>
            ) : null}
          </div>
        </Group>
        <Group gap="xs" wrap="nowrap" flex="none">
          <SaveState />
          <RailSwitch {...rail} />
          <Actions {...props} />
        </Group>
      </Group>
      {followUp}
    </header>
  );
}

/** Leads back to the page the user came from, at the same scroll position. In a new tab it leads to Find Quote. */
function WayBack() {
  const user = useSession();
  const router = useRouter();
  const at = useLocation({ select: ({ state }) => state.__TSR_index });
  const from = cameFrom(at);
  const list = user && isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic;
  return (
    <Anchor
      href={from?.href ?? list}
      size="sm"
      className={`no-print ${classes['wayBack']}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        if (from) router.history.go(-from.steps);
        else void router.navigate({ to: list });
      }}
    >
      ‹<span className={classes['wayBackWord']}> Quotes</span>
    </Anchor>
  );
}

/** Publishes the height of a fixed element in a CSS variable of the page. */
function heightAs(name: string) {
  return (place: HTMLElement | null) => {
    const { style } = document.documentElement;
    if (!place) return undefined;
    const observer = new ResizeObserver(() => style.setProperty(name, `${place.offsetHeight}px`));
    observer.observe(place);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  };
}

/**
 * The sticky heading of the lines and the scroll position of focused fields start below this height. The program's own head scrolls away to make room
 * for the lines.
 */
const publishHeadHeight = (place: HTMLElement | null) => {
  const stop = heightAs('--page-head')(place);
  document.documentElement.toggleAttribute('data-head-leaves', true);
  return () => {
    document.documentElement.toggleAttribute('data-head-leaves', false);
    stop?.();
  };
};
/** Messages appear above this height. */
const publishBarHeight = heightAs('--bottom-bar');

function Actions({ parts, onMissing }: Props) {
  const board = useBoard();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  // The link in a mail to an approver opens the decision dialog.
  const { decide } = useLocation({ select: ({ search }) => search as { decide?: unknown } });
  const [asking, setAsking] = useState<AllowedAction | null>(
    (decide !== undefined && board.data.allowedActions.find(({ action }) => action === 'ApproveDiscount')) || null,
  );
  const [savingTemplate, setSavingTemplate] = useState(false);
  const user = useSession();
  const { allowedActions, quote } = board.data;
  const pdf = useMutation({
    ...api(QuoteWorkflow).GenerateQuotePdf.mutation(),
    meta: { blocking: true },
    onMutate: () => hideMessage('PDF'),
    onSuccess: async (file, { id }) => {
      saveFile(file);
      const boxes = await api(QuoteWorkflow)
        .GetLettersNotInPdf({ id })
        .catch(() => null);
      const message = boxes && boxesInWords(boxes);
      if (message) notifications.show({ color: 'orange', title: 'Some characters are missing from the PDF', message });
    },
    onError: (error) =>
      replaceMessage('PDF', {
        color: 'red',
        title: 'The PDF could not be created',
        message: error.message,
        autoClose: false,
      }),
  });
  const perform = useMutation({
    mutationFn: async (action: AllowedAction['action']) =>
      api(QuoteWorkflow).PerformWorkflowAction({
        quoteId: quote.id,
        action,
        version: (await allSaved(board.store)).quote.version,
      }),
    meta: { blocking: true },
    onError: (error) => {
      const field = missingField(error);
      if (!field) return;
      // Rendered synchronously, because a hidden field cannot get the focus.
      flushSync(() => onMissing(field));
      field.focus();
    },
    onSuccess: async (next) => {
      board.store.receive(next);
      await board.store.reload();
    },
  });
  const performOnce = useOnce(perform.mutateAsync);
  const [refusal, setRefusal] = useState<Error | null>(null);
  /** Continues when the server has saved all typed input. Shows errors here and under the line where they occurred. */
  const afterSaving = (go: () => void) => {
    setRefusal(null);
    perform.reset();
    allSaved(board.store).then(go, setRefusal);
  };
  const start = (action: AllowedAction) =>
    afterSaving(() => {
      const sends = action.action === 'Send' || action.action === 'Resend';
      if (sends || asksSomething(action)) setAsking(action);
      else performOnce(action.action);
    });
  const makePdf = () => afterSaving(() => pdf.mutate({ id: quote.id }));
  const primary = allowedActions.find((action) => action.primary);
  const others = allowedActions.filter((action) => action !== primary);
  // The actions that end or reopen a quote are in the menu, so that nobody triggers them by mistake.
  const grave = others.filter((action) => GRAVE.includes(action.action));
  const visible = others.filter((action) => !grave.includes(action)).slice(0, narrow ? 0 : 2);
  const hidden = others.filter((action) => !visible.includes(action));
  const further = [
    { label: 'Clone…', run: () => void navigate({ to: paths.newQuote, search: { clone: quote.id } }) },
    ...(user && hasRole(user, ...QUOTING_ROLES)
      ? [{ label: 'Save this quote as a template…', run: () => afterSaving(() => setSavingTemplate(true)) }]
      : []),
  ];
  const print = { label: 'Print this page', run: () => window.print() };
  const customersPage = quote.docId ? paths.quoteDoc(quote.docId) : null;
  useKeys([
    {
      key: 'mod+Enter',
      label: primary?.label ?? 'Next step',
      run: () => primary && start(primary),
      disabled: !primary || asking !== null,
    },
    ...others.map((action) => ({ label: action.label, run: () => start(action) })),
    { key: 'p', label: 'PDF', run: makePdf },
    ...further,
    ...(customersPage
      ? [{ label: CUSTOMERS_PAGE, run: () => void window.open(customersPage, '_blank', 'noopener') }]
      : []),
    print,
  ]);
  const next = primary ? (
    <Button
      fullWidth={narrow}
      // The next move is the customer's. A filled button would invite the user to close the quote by mistake.
      variant={primary.action === 'MarkWon' ? 'default' : 'filled'}
      loading={perform.isPending}
      onClick={() => start(primary)}
    >
      {primary.label}
    </Button>
  ) : null;
  const refused = refusal ?? perform.error;
  const problem = refused ? (
    <Text size="sm" c="red" role="alert" maw={420} mt={4}>
      {refused.message}
    </Text>
  ) : null;
  return (
    <div className="no-print" data-focus-group>
      <Group gap="xs">
        {narrow ? null : next}
        {visible.map((action) => (
          <Button key={action.action} variant="default" onClick={() => start(action)}>
            {action.label}
          </Button>
        ))}
        <MoreActions
          entries={[
            ...hidden.map((action) => ({ label: action.label, run: () => start(action) })),
            { label: 'PDF', run: makePdf, icon: <IconDownload size={16} /> },
            ...further,
            ...(customersPage ? [{ label: CUSTOMERS_PAGE, href: customersPage }] : []),
            print,
          ]}
        />
      </Group>
      {narrow ? null : problem}
      {narrow ? (
        <div ref={publishBarHeight} className={classes['bottomBar']}>
          {problem}
          {next}
          {parts}
        </div>
      ) : null}
      {asking && (asking.action === 'Send' || asking.action === 'Resend') ? (
        <SendDialog onClose={() => setAsking(null)} />
      ) : asking ? (
        <ActionDialog action={asking} onClose={() => setAsking(null)} />
      ) : null}
      {savingTemplate ? <SaveAsTemplateDialog onClose={() => setSavingTemplate(false)} /> : null}
    </div>
  );
}

type MenuEntry = { label: string; icon?: ReactNode } & ({ run: () => void } | { href: string });

function MoreActions({ entries }: { entries: MenuEntry[] }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, icon, ...entry }) =>
          'href' in entry ? (
            <Menu.Item key={label} component="a" href={entry.href} target="_blank">
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} leftSection={icon} onClick={entry.run}>
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The form field that the server reports as empty. */
function missingField(error: Error): HTMLElement | undefined {
  const errors = error instanceof HttpError ? (error.errors ?? []) : [];
  return errors
    .map(({ path }) => document.querySelector<HTMLElement>(`[data-field="${path}"]`))
    .find((field) => field !== null);
}

const CUSTOMERS_PAGE = 'Open the customer’s page';
const GRAVE: readonly AllowedAction['action'][] = ['Cancel', 'DiscardRevision', 'Reopen', 'MarkLost'];

/** Steps that need input or cannot be undone open a dialog. */
function asksSomething(action: AllowedAction): boolean {
  return (
    action.needsComment ||
    action.needsReason ||
    ['MarkWon', 'DiscardRevision', 'ApproveDiscount', 'ProvideInfo'].includes(action.action)
  );
}
