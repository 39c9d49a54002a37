// The evidence of one row: its text in the file, the matched item and why it matches, both prices, and the user's decision.
import { Alert, Button, Checkbox, Group, Select, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { REFERENCE_ROLES } from '#core/catalog/cross-references/cross-references.contract.ts';
import { KIND_WORDS, REFERENCE_KINDS } from '#core/catalog/cross-references/reference-words.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate, formatInstant } from '#platform/shared/dates.ts';
import { formatAmount, formatPrice } from '#platform/shared/money.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { writtenKey } from '#platform/ui/written-key.web.ts';
import type { Analysis, SavingsRow } from '../savings.contract.ts';
import { CONFIDENCE_LABELS, percentText } from '../savings-labels.ts';
import classes from '../savings.module.css';
import type { Teaching } from './acts.web.ts';
import { approvalText, rowText, unitText, yearText } from './BenchRow.tsx';
import { Candidates } from './Candidates.tsx';

type Props = {
  row: SavingsRow;
  analysis: Analysis;
  busy: boolean;
  teaching: Teaching;
  onTeach: (teaching: Teaching) => void;
  onAccept: (sameNumber: boolean) => void;
  onTake: (itemId: number, unit?: string) => void;
  onChoose: () => void;
  onNoBid: () => void;
  onReopen: () => void;
  onLeave: () => void;
  onPrice: () => void;
  onSplit: () => void;
  onJoin: () => void;
};

export function EvidencePanel(props: Props) {
  const { row, analysis } = props;
  const { currnIdx } = analysis.totals;
  return (
    <Stack gap="sm" p="md">
      <Theirs row={row} currnIdx={currnIdx} />
      {row.doubts.length > 0 ? (
        <Alert color="orange" p="xs" title="To review">
          {row.doubts.map((doubt) => (
            <Text key={doubt} size="sm">
              {doubt}
            </Text>
          ))}
        </Alert>
      ) : null}
      <Ours row={row} />
      <Prices row={row} currnIdx={currnIdx} priceDate={analysis.priceDate} />
      <Candidates analysisId={analysis.id} row={row} busy={props.busy} onTake={props.onTake} />
      <Decision {...props} />
    </Stack>
  );
}

function Theirs({ row, currnIdx }: { row: SavingsRow; currnIdx: number }) {
  const facts: [label: string, value: string][] = [
    ['Their item #', row.itemNo],
    ['Manufacturer', [row.maker, row.makerNo].filter(Boolean).join(' ')],
    ['Distributor', [row.distributor, row.catalogNo].filter(Boolean).join(' ')],
    ['GTIN', row.gtin],
    ['Unit', [unitText(row.unit, row.eachesPerUnit), row.pack ? `(${row.pack})` : ''].filter(Boolean).join(' ')],
    ['Per year', row.qtyPerYear === null ? '' : `${row.qtyPerYear.toLocaleString('en-US')} ${row.unit}`],
    ['Their price', row.price === null ? '' : `${formatPrice(row.price, currnIdx)} per ${row.unit || 'unit'}`],
  ];
  return (
    <section aria-label="Their item">
      <Title order={2}>{rowText(row)}</Title>
      <Text size="sm" mb={4}>
        {row.description || 'No description'}
      </Text>
      <dl className={classes['facts']}>
        {facts.map(([label, value]) =>
          value.trim() === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function Ours({ row: { match, decision, decidedBy, decidedAt, noBidReason } }: { row: SavingsRow }) {
  const { label, tone } = CONFIDENCE_LABELS[match.confidence];
  return (
    <section aria-label="Our item">
      <Group gap="xs" mb={2}>
        <Title order={3}>{match.itemId === null ? 'No matching item' : `Our item: ${match.itemNumber}`}</Title>
        <Chip tone={tone}>{label}</Chip>
      </Group>
      {match.itemId === null ? null : (
        <Text size="sm">
          {match.description} <span className="muted">{unitText(match.unit, match.eachesPerUnit)}</span>
        </Text>
      )}
      <ul className={classes['reasons']}>
        {match.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {decision === 'open' ? null : (
        <Text size="sm" className="muted">
          {decision === 'no-bid' ? `No bid: ${noBidReason}` : 'Accepted'} by {decidedBy}
          {decidedAt ? `, ${formatInstant(decidedAt)}` : ''}.
        </Text>
      )}
    </section>
  );
}

function Prices({ row, currnIdx, priceDate }: { row: SavingsRow; currnIdx: number; priceDate: string }) {
  if (row.match.itemId === null) return null;
  const ours = row.typedPrice ?? row.ourPrice;
  const price = (value: number | null) => (value === null ? '–' : formatPrice(value, currnIdx));
  return (
    <section aria-label="Prices">
      <table className={classes['prices']}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Price</VisuallyHidden>
            </th>
            <th scope="col">Theirs</th>
            <th scope="col">Ours</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Per unit</th>
            <td>
              {price(row.price)} <small className="muted">{unitText(row.unit, row.eachesPerUnit)}</small>
            </td>
            <td>
              {price(ours)} <small className="muted">{unitText(row.match.unit, row.match.eachesPerUnit)}</small>
            </td>
          </tr>
          <tr>
            <th scope="row">Per each</th>
            <td>{price(row.theirPerEach)}</td>
            <td>{price(row.ourPerEach)}</td>
          </tr>
          <tr>
            <th scope="row">Per year</th>
            <td>{yearText(row.theirYear, currnIdx)}</td>
            <td>{yearText(row.ourYear, currnIdx)}</td>
          </tr>
        </tbody>
      </table>
      {row.difference === null ? null : (
        <Text size="sm" fw={600} mt={4} className={row.difference < 0 ? (classes['dearer'] ?? '') : 'tabular'}>
          {row.difference < 0 ? 'Additional cost ' : 'Savings '}
          {formatAmount(Math.abs(row.difference), currnIdx)} per year, {percentText(row.differencePct)}
        </Text>
      )}
      {row.problem ? (
        <Text size="sm" className="warning">
          {row.problem}
        </Text>
      ) : null}
      {row.approvals.length === 0 ? null : (
        <Text size="sm" className="warning">
          {approvalText(row)}
        </Text>
      )}
      <Text size="xs" className="muted">
        {row.typedPrice !== null
          ? `Typed price: ${row.priceReason}.`
          : row.priceSource === ''
            ? ''
            : `Our ${row.priceSource.toLowerCase()} price as of ${formatDate(priceDate)}.`}
        {row.typedPrice !== null && row.ourPrice !== null ? ` System price: ${price(row.ourPrice)}.` : ''}
        {row.marginPct === undefined || row.marginPct === null
          ? ''
          : ` Margin ${percentText(row.marginPct)} (internal).`}
      </Text>
    </section>
  );
}

const SCOPES: { value: string; label: string }[] = [
  { value: 'Facility', label: 'For this facility' },
  { value: 'Everybody', label: 'For all facilities' },
  { value: '', label: 'Do not remember' },
];

/** Stays at the bottom edge while the evidence scrolls. */
function Decision({ row, busy, teaching, onTeach, ...on }: Props) {
  const [sameNumber, setSameNumber] = useState(false);
  const { match } = row;
  const hasNumber = [row.itemNo, row.makerNo, row.catalogNo, row.gtin].some((number) => number !== '');
  return (
    <>
      {hasNumber ? <Remember teaching={teaching} onTeach={onTeach} /> : null}
      <section aria-label="Decision" className={classes['decision']}>
        {hasNumber ? (
          <Checkbox
            label="Apply to all rows with this number"
            mb="xs"
            checked={sameNumber}
            onChange={(event) => setSameNumber(event.currentTarget.checked)}
          />
        ) : null}
        <Group gap="xs">
          <Button
            size="compact-md"
            disabled={busy || match.itemId === null}
            title={match.itemId === null ? 'No item is proposed. Choose one.' : 'Enter key in the list of rows'}
            onClick={() => on.onAccept(sameNumber)}
          >
            Accept
          </Button>
          <Act label="Choose another" keyed="c" busy={busy} onClick={on.onChoose} />
          <Act label="No bid" keyed="b" busy={busy} onClick={on.onNoBid} />
          {row.decision === 'open' ? null : <Act label="Reopen" keyed="w" busy={busy} onClick={on.onReopen} />}
          {row.taken ? (
            <>
              <Act label={row.included ? 'Leave out' : 'Include'} keyed="l" busy={busy} onClick={on.onLeave} />
              <Act label="Price to match" keyed="p" busy={busy} onClick={on.onPrice} />
            </>
          ) : null}
          {row.qtyPerYear === null ? null : <Act label="Split" keyed="x" busy={busy} onClick={on.onSplit} />}
          {row.part > 1 ? <Act label="Rejoin" keyed="j" busy={busy} onClick={on.onJoin} /> : null}
        </Group>
      </section>
    </>
  );
}

type ActProps = { label: string; keyed: string; busy: boolean; onClick: () => void };

function Act({ label, keyed, busy, onClick }: ActProps) {
  return (
    <Button
      size="compact-md"
      variant="default"
      disabled={busy}
      aria-keyshortcuts={keyed}
      title={`Shortcut: ${writtenKey(keyed)}`}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

/** For whom an accepted number is remembered, and how similar the items are. The choice stays for the next rows. */
function Remember({ teaching, onTeach }: Pick<Props, 'teaching' | 'onTeach'>) {
  const user = useSession();
  const mayForAll = user !== null && hasRole(user, ...REFERENCE_ROLES);
  return (
    <Group grow gap="xs" align="start">
      <Select
        label="Remember number"
        size="xs"
        allowDeselect={false}
        data={SCOPES.filter(({ value }) => value !== 'Everybody' || mayForAll)}
        value={teaching.remember ?? ''}
        onChange={(scope) =>
          onTeach({ ...teaching, remember: scope === 'Facility' || scope === 'Everybody' ? scope : null })
        }
      />
      <Select
        label="As"
        size="xs"
        allowDeselect={false}
        disabled={teaching.remember === null}
        data={REFERENCE_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }))}
        value={teaching.kind}
        onChange={(kind) =>
          onTeach({ ...teaching, kind: REFERENCE_KINDS.find((referenceKind) => referenceKind === kind) ?? 'Same' })
        }
      />
    </Group>
  );
}
