// One row of the bench: what the customer buys, the matching item of ours, and both prices.
import { Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconUserCheck } from '@tabler/icons-react';
import { formatAmount, formatPrice } from '#platform/shared/money.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import type { SavingsRow } from '../savings.contract.ts';
import { CONFIDENCE_LABELS, percentText } from '../savings-labels.ts';
import classes from '../savings.module.css';

/** In pixels, as in savings.module.css. */
export const ROW_HEIGHT = { wide: 54, narrow: 128 };

type Props = {
  id: string;
  index: number;
  start: number;
  height: number;
  /** Undefined while its page loads. */
  row: SavingsRow | undefined;
  isCurrent: boolean;
  currnIdx: number;
  onChoose: (isMeant: boolean) => void;
};

export function BenchRow({ id, index, start, height, row, isCurrent, currnIdx, onChoose }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys of its rows
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isCurrent}
      className={classes['gridRow']}
      data-current={isCurrent || undefined}
      data-off={row && !row.counts && row.decision !== 'open' ? '' : undefined}
      style={{ position: 'absolute', insetInline: 0, height, transform: `translateY(${start}px)` }}
      onClick={() => onChoose(true)}
    >
      {row ? <Cells row={row} currnIdx={currnIdx} /> : <Loading />}
    </div>
  );
}

function Loading() {
  return (
    <span role="gridcell" aria-busy="true" className={classes['wholeRow']}>
      <Skeleton height={10} radius="xl" />
    </span>
  );
}

function Cells({ row, currnIdx }: { row: SavingsRow; currnIdx: number }) {
  const number = row.makerNo || row.catalogNo || row.itemNo || row.gtin;
  const { match } = row;
  return (
    <>
      <span role="gridcell" className={`muted tabular ${classes['rowNo']}`}>
        {row.rowNo}
        {row.part === 0 ? null : <small title={`Part ${row.part} of a split row`}>/{row.part}</small>}
      </span>
      <span role="gridcell" className={classes['theirs']}>
        <span className="ellipsis">
          <b>{number || 'No number'}</b> <span className="muted">{row.maker || row.distributor}</span>
          {row.doubts.length > 0 ? (
            <span className="warning" title={row.doubts.join(' ')}>
              {' '}
              <IconAlertTriangle size={13} role="img" aria-label="Needs review" />
            </span>
          ) : null}
        </span>
        <span className="ellipsis" title={row.description}>
          {row.description}
        </span>
      </span>
      <span role="gridcell" className="figure">
        <span>{row.qtyPerYear === null ? '–' : row.qtyPerYear.toLocaleString('en-US')}</span>
        <small className="muted">{unitText(row.unit, row.eachesPerUnit)}</small>
      </span>
      <span role="gridcell" className="figure">
        <span>{row.price === null ? '–' : formatPrice(row.price, currnIdx)}</span>
        <small className="muted">{perEach(row.theirPerEach, currnIdx)}</small>
      </span>
      <span role="gridcell" className={classes['ours']}>
        <span className="ellipsis">
          {match.itemId === null ? null : <b>{match.itemNumber} </b>}
          <Mark row={row} />
        </span>
        <span className="ellipsis" title={match.description}>
          {row.decision === 'no-bid' ? row.noBidReason : match.description}
        </span>
      </span>
      <span role="gridcell" className="figure">
        <span>
          {row.approvals.length === 0 ? null : (
            <span className="warning" title={approvalText(row)}>
              <IconUserCheck size={13} role="img" aria-label="Needs approval" />{' '}
            </span>
          )}
          {(row.typedPrice ?? row.ourPrice) === null ? '–' : formatPrice(row.typedPrice ?? row.ourPrice ?? 0, currnIdx)}
        </span>
        <small className="muted">{perEach(row.ourPerEach, currnIdx)}</small>
      </span>
      <span role="gridcell" className="figure">
        {row.difference === null ? (
          <span title={row.problem}>–</span>
        ) : (
          <>
            <span className={row.difference < 0 ? classes['dearer'] : undefined}>
              {formatAmount(row.difference, currnIdx)}
            </span>
            <small className="muted">{percentText(row.differencePct)}</small>
          </>
        )}
      </span>
    </>
  );
}

function Mark({ row: { decision, match, taken, included, counts } }: { row: SavingsRow }) {
  if (decision === 'no-bid') return <Chip tone="violet">no bid</Chip>;
  if (taken && !included) return <Chip tone="violet">left out</Chip>;
  if (decision === 'accepted') return <Chip tone={counts ? 'green' : 'orange'}>accepted</Chip>;
  const { label, tone } = CONFIDENCE_LABELS[match.confidence];
  return <Chip tone={tone}>{label}</Chip>;
}

/** 'Row 12'; 'Row 12, part 2' of a split one. */
export const rowText = ({ rowNo, part }: SavingsRow): string => `Row ${rowNo}${part === 0 ? '' : `, part ${part}`}`;

/** 'Needs approval: Below floor → Contract department.' Empty if the typed price needs no approval. */
export function approvalText({ approvals }: SavingsRow): string {
  return approvals.length === 0 ? '' : `Needs approval: ${approvals.join('; ')}.`;
}

/** 'CS of 200', or only the unit if its size is unknown. */
export function unitText(unit: string, eaches: number | null): string {
  if (eaches === null || eaches === 1) return unit;
  return `${unit || 'unit'} of ${eaches.toLocaleString('en-US')}`;
}

const perEach = (price: number | null, currnIdx: number): string =>
  price === null ? '' : `${formatPrice(price, currnIdx)} each`;

/** An amount per year: '$1,200.00', '–'. */
export const yearText = (amount: number | null, currnIdx: number): string =>
  amount === null ? '–' : formatAmount(amount, currnIdx);
