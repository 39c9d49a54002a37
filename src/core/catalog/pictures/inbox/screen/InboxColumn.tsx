// One stage of the inbox: its pictures page by page, oldest first; it refreshes while work is in progress.
import { Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Pages } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { isUnfocused } from '#platform/ui/keep-focus.web.ts';
import { type InboxStage, ItemImageProcess, type Match, type PictureRow } from '../../pictures.contract.ts';
import classes from './inbox.module.css';
import { type Action, STAGE_EMPTY, STAGE_LABELS } from './inbox-words.web.ts';
import { choicesOf, PictureCard } from './PictureCard.tsx';

const PAGE_SIZE = 30;
const ASK_EVERY = 1500;

type Props = {
  stage: InboxStage;
  keyword: string;
  match: Match | null;
  /** True while files are being uploaded. */
  sending: boolean;
  chosen: ReadonlyMap<number, PictureRow>;
  /** The ids of pictures with a running action. */
  busyIds: ReadonlySet<number>;
  onChoose: (pictures: PictureRow[], chosen: boolean) => void;
  onFocus: (picture: PictureRow) => void;
  onAct: (action: Action, picture: PictureRow, productId?: number) => void;
  onOpen: (picture: PictureRow) => void;
  /** The text under the title, with the button beside it. */
  hint: string;
  action: ReactNode;
};

/** Reads one stage of the inbox, repeatedly while work is in progress. */
export function useStage(
  request: { stage: InboxStage; keyword: string; match: Match | null; page: number },
  sending: boolean,
) {
  const { stage, keyword, page } = request;
  const ended = stage === 'refused' || stage === 'removed';
  return useQuery({
    ...api(ItemImageProcess).GetImagesWaitingForProcess.query({
      stage,
      keyword,
      match: stage === 'waiting' ? request.match : null,
      page,
      pageSize: PAGE_SIZE,
      sort: ended ? { field: 'stateAt', dir: 'desc' } : null,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (sending || (state.data?.counts.working ?? 0) > 0 ? ASK_EVERY : false),
  });
}

export function InboxColumn(props: Props) {
  const { stage, keyword, match, sending, chosen, busyIds, onChoose } = props;
  const [page, setPage] = useState(1);
  const query = useStage({ stage, keyword, match, page }, sending);
  const rows = query.data?.records;
  const column = useRef<HTMLElement>(null);
  const focusedRef = useFocusKept(column, rows);
  useEffect(() => setPage(1), [keyword, match]);
  const pictureAt = (target: EventTarget | null) => {
    const id = (target as Element | null)?.closest('li')?.querySelector<HTMLElement>('[data-picture]')?.dataset[
      'picture'
    ];
    return rows?.find((picture) => String(picture.id) === id);
  };
  const onFocusIn = useEffectEvent(({ target }: FocusEvent) => {
    const picture = pictureAt(target);
    if (!picture) return;
    focusedRef.current = picture.id;
    props.onFocus(picture);
  });
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.target as Element).matches('[data-picture]') || event.ctrlKey || event.metaKey || event.altKey) return;
    const picture = pictureAt(event.target);
    if (!picture || !rows) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = /^[1-9]$/.test(event.key) ? choicesOf(picture)[Number(event.key) - 1] : undefined;
    if (step) focusOn(column.current, rows[rows.indexOf(picture) + step]?.id);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      focusBeside(column.current, event.key === 'ArrowRight' ? 1 : -1);
    else if (choice && stage === 'waiting' && !picture.product) props.onAct('assign', picture, choice.productId);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const element = column.current;
    const [focusIn, keyDown] = [(event: FocusEvent) => onFocusIn(event), (event: KeyboardEvent) => onKeyDown(event)];
    element?.addEventListener('focusin', focusIn);
    element?.addEventListener('keydown', keyDown);
    return () => {
      element?.removeEventListener('focusin', focusIn);
      element?.removeEventListener('keydown', keyDown);
    };
  }, []);
  const ticked = rows?.filter(({ id }) => chosen.has(id)).length ?? 0;
  return (
    <section ref={column} className="card" aria-label={STAGE_LABELS[stage]}>
      <div className={classes['head']}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Checkbox
              aria-label={`Select all shown: ${STAGE_LABELS[stage]}`}
              disabled={!rows || rows.length === 0}
              checked={ticked > 0 && ticked === rows?.length}
              indeterminate={ticked > 0 && ticked !== rows?.length}
              onChange={(event) => onChoose(rows ?? [], event.currentTarget.checked)}
            />
            <Title order={2} size="h5">
              {STAGE_LABELS[stage]}{' '}
              <span className="muted tabular">
                {query.data ? query.data.counts[stage].toLocaleString('en-US') : ''}
              </span>
            </Title>
          </Group>
          {props.action}
        </Group>
        {props.hint ? (
          <Text size="xs" className="muted">
            {props.hint}
          </Text>
        ) : null}
      </div>
      {rows ? (
        rows.length > 0 ? (
          <ul className={classes['pictures']} aria-label={`Pictures: ${STAGE_LABELS[stage]}`}>
            {rows.map((picture) => (
              <PictureCard
                key={picture.id}
                picture={picture}
                chosen={chosen.has(picture.id)}
                busy={busyIds.has(picture.id)}
                onChoose={(isChosen) => onChoose([picture], isChosen)}
                onAct={(action, productId) => props.onAct(action, picture, productId)}
                onOpen={() => props.onOpen(picture)}
              />
            ))}
          </ul>
        ) : (
          <Text ta="center" py="xl" px="md" size="sm" className="muted" role="status">
            {keyword || (match && stage === 'waiting') ? 'No Record Found' : STAGE_EMPTY[stage]}
          </Text>
        )
      ) : query.error ? (
        <ErrorAlert error={query.error} title="This list could not be loaded" onRetry={query.refetch} />
      ) : (
        <Stack p="sm" aria-label="Loading" aria-busy>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} height={84} />
          ))}
        </Stack>
      )}
      <Pages
        page={page}
        pageCount={query.data?.pageCount ?? 1}
        pageSize={PAGE_SIZE}
        total={query.data?.total ?? 0}
        rows={rows ?? []}
        refreshing={query.isPlaceholderData}
        onPage={setPage}
        error={rows ? query.error : null}
        onRetry={() => void query.refetch()}
      />
    </section>
  );
}

/** Moves the focus to the next picture when the focused picture moves to another stage. */
function useFocusKept(column: RefObject<HTMLElement | null>, rows: PictureRow[] | undefined) {
  const focused = useRef<number | null>(null);
  const before = useRef<number[]>([]);
  useEffect(() => {
    const ids = rows?.map(({ id }) => id) ?? [];
    const place = focused.current === null ? -1 : before.current.indexOf(focused.current);
    if (place >= 0 && !ids.includes(focused.current ?? 0)) {
      focused.current = null;
      const after = before.current.slice(place).find((id) => ids.includes(id)) ?? ids.at(-1);
      if (isUnfocused()) focusOn(column.current, after);
    }
    before.current = ids;
  }, [rows, column]);
  return focused;
}

function focusOn(column: Element | null, id: number | undefined): void {
  const box = id === undefined ? null : column?.querySelector<HTMLElement>(`[data-picture="${id}"]`);
  box?.focus({ preventScroll: true });
  box?.scrollIntoView({ block: 'nearest' });
}

/** Focuses the first picture of the next column that has any. */
function focusBeside(column: Element | null, step: 1 | -1): void {
  let beside = step === 1 ? column?.nextElementSibling : column?.previousElementSibling;
  while (beside && !beside.querySelector('[data-picture]'))
    beside = step === 1 ? beside.nextElementSibling : beside.previousElementSibling;
  beside?.querySelector<HTMLElement>('[data-picture]')?.focus();
}
