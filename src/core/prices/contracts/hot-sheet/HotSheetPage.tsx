// The hot sheet of a contract: one page for colleagues, printed on Letter paper.
import { Anchor, Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import { promotionOffer } from '#core/prices/promotions/promotion.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount, formatPrice, pricesAligned } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { QrCode } from '#platform/ui/QrCode.tsx';
import { awardInWords, daysLeftInWords, gpoInWords } from '../contract-words.ts';
import { Contract, type ContractLine, type ContractTier, type HotSheet } from '../contracts.contract.ts';
import { unitInWords } from '../lines/line-words.ts';
import { howReached } from '../tier-words.ts';
import classes from './hot-sheet.module.css';

/** The number of tiers that fit on the page. The contract's page shows the others. */
const MAX_TIERS = 4;
const MAX_PROMOTIONS = 8;

export default function HotSheetPage() {
  const { id } = useParams({ from: '/signed-in/tools/CapsContractHotSheet/$id' });
  const contractId = Number(id);
  const query = useQuery({ ...api(Contract).GetHotSheet.query({ contractId }), staleTime: 0 });
  useKeys([{ key: 'p', label: 'Print', disabled: !query.data, run: () => window.print() }]);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="sm" className={classes['page'] ?? ''}>
      <PageTitle>{query.data ? `Hot sheet ${query.data.contract.number}` : 'Hot sheet'}</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }} className="no-print">
        <Anchor component={Link} to={paths.contract(contractId)} size="sm">
          ‹ Contract {query.data?.contract.number}
        </Anchor>
        {query.data ? (
          <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        ) : null}
      </Group>
      {query.data ? (
        <Sheet sheet={query.data} />
      ) : query.error ? (
        <ErrorAlert error={query.error} title="The hot sheet could not be shown" onRetry={query.refetch} />
      ) : (
        <Skeleton height={900} aria-label="Loading" />
      )}
    </Stack>
  );
}

function Sheet({ sheet }: { sheet: HotSheet }) {
  const { contract, company, asOf } = sheet;
  const tiers = sheet.tiers.slice(0, MAX_TIERS);
  const writers = new Map(
    tiers.map(({ id }) => [
      id,
      pricesAligned(sheet.lines.flatMap(({ prices }) => prices.filter(({ tierId }) => tierId === id))),
    ]),
  );
  const moreTiers = sheet.tiers.length - tiers.length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a narrow window scrolls the sheet, by keyboard too
    <article className={classes['sheet']} aria-label={`Hot sheet of contract ${contract.number}`} tabIndex={0}>
      <header className={classes['head']}>
        <div>
          <h1>
            {contract.number} <span>{contract.title}</span>
          </h1>
          <dl className={classes['facts']}>
            <Fact label="GPO">{gpoInWords(contract.gpo?.name ?? null)}</Fact>
            <Fact label="Term">
              {formatDate(contract.from)} – {formatDate(contract.lastDay)}
            </Fact>
            <Fact label={contract.status}>{daysLeftInWords(contract.daysLeft)}</Fact>
            <Fact label="Award">{awardInWords(contract.awardType)}</Fact>
            <Fact label="As of">{formatDate(asOf)}</Fact>
          </dl>
        </div>
        <div className={classes['qr']}>
          <QrCode
            text={`${window.location.origin}${paths.contract(contract.id)}`}
            label={`QR code of the page of contract ${contract.number}`}
          />
        </div>
      </header>

      <section className={classes['columns']}>
        <div>
          <h2>Tiers</h2>
          <ol className={classes['tiers']}>
            {tiers.map((tier, index) => (
              <li key={tier.id}>
                <b>
                  {tier.tierNo}. {tier.name}
                </b>{' '}
                {howReached(tier, index === 0, contract.openTo, sheet.tiers)}
              </li>
            ))}
          </ol>
          {moreTiers > 0 ? <p>{moreTiers} more on the contract’s page.</p> : null}
        </div>
        <div>
          <h2>Who may buy</h2>
          <p className={classes['clamp']}>
            {contract.eligibility ||
              (contract.openTo === 'members' ? 'All members of the GPO.' : 'Facilities on the roster.')}
          </p>
        </div>
      </section>

      <section>
        <h2>
          {sheet.lineCount > sheet.lines.length
            ? `The ${sheet.lines.length} items that sell best, of ${sheet.lineCount.toLocaleString('en-US')}`
            : 'Items'}
        </h2>
        <table className={classes['items']}>
          <thead>
            <tr>
              <th scope="col">Item #</th>
              <th scope="col">Description</th>
              <th scope="col">Unit</th>
              {tiers.map((tier) => (
                <th scope="col" key={tier.id} className={classes['figure']} colSpan={2}>
                  {tier.tierNo}. {tier.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheet.lines.map((line) => (
              <tr key={line.id}>
                <th scope="row">{line.itemNumber}</th>
                <td className={classes['description']}>{line.description}</td>
                <td className={classes['unit']}>{unitInWords(line)}</td>
                {tiers.map((tier) => (
                  <Prices
                    key={tier.id}
                    line={line}
                    tier={tier}
                    currnIdx={contract.currnIdx}
                    write={writers.get(tier.id) ?? formatPrice}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {sheet.lines.length === 0 ? <p>No line is in force today.</p> : null}
      </section>

      {sheet.promotions.length > 0 ? (
        <section>
          <h2>Promotions that combine</h2>
          <ul className={classes['promotions']}>
            {sheet.promotions.slice(0, MAX_PROMOTIONS).map((promotion) => (
              <li key={promotion.id}>
                <b>{promotion.itemNumber}</b> {promotionOffer(promotion, contract.currnIdx)}
                {promotion.minQty > 1 ? `, from ${promotion.minQty}` : ''}
                {promotion.uom ? ` ${promotion.uom}` : ''}
                {promotion.validTo ? `, to ${formatDate(promotion.validTo)}` : ''}
              </li>
            ))}
          </ul>
          {sheet.promotions.length > MAX_PROMOTIONS ? (
            <p>and {sheet.promotions.length - MAX_PROMOTIONS} more.</p>
          ) : null}
        </section>
      ) : null}

      <footer className={classes['terms']}>
        <Term label="Payment">{contract.paymentTerms}</Term>
        <Term label="Freight">{contract.freightTerms}</Term>
        <Term label="Minimum order">
          {contract.minimumOrder === null ? '' : formatAmount(contract.minimumOrder, contract.currnIdx)}
        </Term>
        <Term label="Call">
          {[contract.contact?.name, contract.contact?.phone || company.phone].filter(Boolean).join(', ')}
        </Term>
        <Term label="At the GPO">{contract.gpoContact}</Term>
        <p className={classes['inner']}>{company.name} · for colleagues only, not for customers</p>
      </footer>
    </article>
  );
}

type PricesProps = {
  line: ContractLine;
  tier: ContractTier;
  currnIdx: number;
  write: (price: number, currnIdx: number) => string;
};

/** Shows the price per unit, and the price per each beside it. */
function Prices({ line, tier, currnIdx, write }: PricesProps) {
  const price = line.prices.find(({ tierId }) => tierId === tier.id);
  const isEach = line.unit === line.baseUnit;
  return (
    <>
      <td className={classes['figure']}>{price ? write(price.price, currnIdx) : '–'}</td>
      <td className={`${classes['figure']} ${classes['each']}`}>
        {price && !isEach && price.perEach !== null
          ? `${formatPrice(price.perEach, currnIdx, { agreed: price.price })} / ${line.baseUnit}`
          : ''}
      </td>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Term({ label, children }: { label: string; children: string }) {
  if (!children) return null;
  return (
    <p className={classes['term']}>
      <b>{label}:</b> {children}
    </p>
  );
}
