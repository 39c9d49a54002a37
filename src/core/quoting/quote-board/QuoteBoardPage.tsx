// The quote board on one screen. The internal view adds columns and actions to the public one (specification section 2, design 7).
import { Anchor, Button, CloseButton, Group, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useMatch, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { LineItemPanel } from '#core/quoting/quote-edit/lines/LineItemPanel.tsx';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { openParts } from '#platform/addons/door-parts.tsx';
import { paths } from '#platform/shared/paths.ts';
import { opensInternalBoard, seesInternalFigures } from '#platform/shared/roles.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { LeaveGuard } from '#platform/ui/LeaveGuard.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { later } from '#platform/ui/later.tsx';
import { BoardHead } from './BoardHead.tsx';
import classes from './board.module.css';
import { boardNotes, boardPanels, priceRequest, type RequestStart } from './doors.web.ts';
import { useRail } from './layout/rail.web.ts';
import { useBoardLayout } from './layout/layout.web.ts';
import { LinesCard } from './lines/LinesCard.tsx';
import { ApprovalPanel } from './side-panels/ApprovalPanel.tsx';
import { FacilityPanel } from './side-panels/FacilityPanel.tsx';
import { NextTierPanel } from './side-panels/NextTierPanel.tsx';
import { type CommentAbout, useWantedComment } from '#core/quoting/comments/comments.web.ts';
import { RailTabs } from './side-panels/RailTabs.tsx';
import { BoardProvider, useBoard, useOpenBoard } from './state/board.web.ts';
import { BoardConflict } from './state/BoardConflict.tsx';
import { FacilityChanges } from './terms/FacilityChanges.tsx';
import { QuoteTermsCard } from './terms/QuoteTermsCard.tsx';
import { TotalsCard } from './terms/TotalsCard.tsx';

// The browser prints immediately, so the paper version loads before anyone prints.
const PrintedBoard = later(() => import('./paper/PrintedBoard.tsx'), {
  soon: true,
  loading: <></>,
  failed: 'The quote could not be prepared for printing. Reload the page.',
});

export default function QuoteBoardPage() {
  const { id } = useParams({ strict: false });
  const user = useSession();
  // Uses the match, not the location. The location already belongs to the next screen before this one unmounts.
  const { pathname } = useMatch({ strict: false });
  const request =
    pathname.startsWith('/int-') ||
    (pathname.startsWith('/pub-quote-edit') && user !== null && opensInternalBoard(user));
  const view = request && user && seesInternalFigures(user) ? 'internal' : 'public';
  const number = Number(id);
  return <OpenBoard key={`${number} ${view}`} id={number} view={view} />;
}

function OpenBoard({ id, view }: { id: number; view: 'public' | 'internal' }) {
  const { board, error, retry } = useOpenBoard(id, view);
  const { isLoading } = useBoardLayout();
  if (board && !isLoading) {
    return (
      <BoardProvider value={board}>
        <Board error={error} />
      </BoardProvider>
    );
  }
  if (error instanceof HttpError && error.status === 404) return <Missing />;
  if (error && !board) {
    return (
      <Stack p="md" maw={640}>
        <ErrorAlert error={error} title="The quote could not be opened">
          <Anchor component="button" onClick={retry}>
            Try again
          </Anchor>
        </ErrorAlert>
      </Stack>
    );
  }
  return (
    <Stack p="md" aria-busy>
      <Skeleton height={72} />
      <Skeleton height={320} />
    </Stack>
  );
}

function Board({ error }: { error: Error | null }) {
  const { data, items, store } = useBoard();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  // Undefined: closed. Null: a new item.
  const [edited, setEdited] = useState<QuoteItem | null | undefined>(undefined);
  const [request, setRequest] = useState<RequestStart | null>(null);
  const [about, setAbout] = useState<CommentAbout | null>(null);
  const { quote, approval } = data;
  // A pending or rejected request is the current topic of the quote.
  const isAsked = approval?.state === 'Pending' || approval?.state === 'Rejected';
  const rail = useRail({ keepsBeside: isAsked || items.length === 0, hasPanel: edited !== undefined });
  const [part, setPart] = useState<Part>('lines');
  const wanted = useWantedComment();
  const { show: showRail } = rail;
  useEffect(() => {
    if (wanted === null) return;
    setPart('about');
    showRail();
    // Opens the right side only once. After that, the user opens and closes it.
  }, [wanted, showRail]);
  const showField = (field: HTMLElement) => {
    const isInRail = field.closest('aside') !== null;
    setPart(isInRail ? 'about' : 'terms');
    if (isInRail) rail.show();
  };
  // An approver first reads why approval is requested.
  const approvalFirst =
    approval?.state === 'Pending' && (narrow || data.allowedActions.some(({ action }) => action === 'ApproveDiscount'));
  // Keeps the same identity, so that unchanged rows do not render again.
  const [comment] = useState(() => (item: QuoteItem) => {
    setEdited(undefined);
    setPart('about');
    rail.show();
    setAbout({ itemId: item.id, line: `line ${item.lineNo}: ${item.itemNumber} ${item.description}`, at: Date.now() });
  });
  const panel =
    edited === undefined ? null : (
      <div style={{ display: 'contents' }} data-card={edited?.id}>
        <LineItemPanel
          key={edited?.id ?? 'new'}
          item={edited && (items.find(({ id }) => id === edited.id) ?? edited)}
          companyName={appConfig.companyName}
          currnIdx={quote.currnIdx}
          facilityId={quote.facilityId}
          priced={narrow && data.editable.commercial}
          onAdd={store.addLine}
          onChange={store.saveForm}
          onDone={() => setEdited(undefined)}
          onClose={() => setEdited(undefined)}
        />
      </div>
    );
  return (
    <>
      <PrintedBoard />
      <div className={`${classes['screen']} no-print`}>
        <BoardHead
          parts={<Parts shown={part} onShow={setPart} />}
          onMissing={showField}
          rail={{ isShown: rail.state !== 'folded', onSwitch: rail.toggle }}
        />
        {error ? (
          <Stack px="md" pt="sm">
            <ErrorAlert error={error} title="The latest version could not be loaded" />
          </Stack>
        ) : null}
        {openParts(boardNotes).map(({ addon, Part }) => (
          <Part key={addon} quoteId={quote.id} version={quote.version} />
        ))}
        <FacilityChanges />
        <div
          className={classes['page']}
          data-part={part}
          data-rail={panel ? undefined : rail.state}
          data-beside={rail.isBeside ? '' : undefined}
        >
          <div className={classes['main']}>
            {narrow && approvalFirst && part === 'lines' ? <ApprovalPanel /> : null}
            <div className={classes['linesPart']}>
              <LinesCard onEdit={setEdited} onRequest={setRequest} onComment={comment} onRoom={rail.onRoom} />
              {narrow ? <TotalsCard /> : null}
            </div>
            <div className={classes['termsPart']}>
              <QuoteTermsCard />
            </div>
          </div>
          <aside className={classes['rail']} aria-label="About this quote">
            {!narrow && panel ? (
              panel
            ) : (
              <>
                {rail.state === 'over' ? <RailOver {...rail} /> : null}
                {approvalFirst && !narrow ? <ApprovalPanel /> : null}
                <RailTabs about={about} onWhole={() => setAbout(null)} />
                {approvalFirst ? null : <ApprovalPanel />}
                <FacilityPanel />
                <NextTierPanel onRequest={setRequest} />
                {openParts(boardPanels).map(({ addon, Part }) => (
                  <Part key={addon} onRequest={setRequest} onShow={rail.show} />
                ))}
              </>
            )}
          </aside>
        </div>
      </div>
      {narrow && panel ? (
        // Fills the screen on a phone. The list behind it keeps its scroll position, and nothing else can be pressed by mistake.
        <Modal.Root opened fullScreen closeOnEscape={false} onClose={() => setEdited(undefined)}>
          <Modal.Content aria-label="Line" bg="var(--app-card)">
            <Modal.Body p={0}>{panel}</Modal.Body>
          </Modal.Content>
        </Modal.Root>
      ) : null}
      {request
        ? openParts(priceRequest).map(({ addon, Part }) => (
            <Part key={addon} start={request} onClose={() => setRequest(null)} />
          ))
        : null}
      <BoardConflict />
      <LeaveGuard />
    </>
  );
}

/** The first row of the right side while it lies over the lines. */
function RailOver({ keep, hide }: { keep: () => void; hide: () => void }) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus({ preventScroll: true }), []);
  useKeys([{ key: 'Escape', label: 'Hide the side panel', whileTyping: true, run: hide }], { isOver: true });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={keep}>
        Pin next to lines
      </Button>
      <CloseButton ref={close} aria-label="Hide the side panel" onClick={hide} />
    </Group>
  );
}

const PARTS = { lines: 'Lines', terms: 'Terms', about: 'About' };
type Part = keyof typeof PARTS;

/** A phone shows one part of the quote at a time. */
function Parts({ shown, onShow }: { shown: Part; onShow: (part: Part) => void }) {
  return (
    <nav aria-label="Quote sections" className={classes['parts']}>
      {Object.entries(PARTS).map(([part, title]) => (
        <button
          key={part}
          type="button"
          aria-current={part === shown ? 'true' : undefined}
          onClick={() => {
            onShow(part as Part);
            window.scrollTo({ top: 0 });
          }}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}

function Missing() {
  return (
    <Stack align="center" py={80} gap="xs">
      <PageTitle>Quote not found</PageTitle>
      <Title order={1}>Quote not found</Title>
      <Text className="muted">It does not exist, or you do not have access to it.</Text>
      <Anchor component={Link} to={paths.home}>
        Home
      </Anchor>
    </Stack>
  );
}
