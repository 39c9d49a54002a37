// Shown after accepting: what was agreed, what happens next, and whom to call.
import { Anchor, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAmount } from '#platform/shared/money.ts';
import classes from '../QuoteDocPage.module.css';
import type { PublicQuote } from '../quote-doc.contract.ts';

export function NextSteps({ quote, download }: { quote: PublicQuote; download: ReactNode }) {
  const { document, acceptance, notice } = quote;
  const { preparedBy, company } = document;
  const phone = preparedBy.phone || company.phone;
  const email = preparedBy.email || company.email;
  const seller = preparedBy.name || company.name;
  return (
    <section className={classes['accepted']} role="status">
      <Title order={2}>Thank you. We have received your acceptance.</Title>
      <p>
        {notice} Total{' '}
        <strong className="tabular">
          {formatAmount(quote.agreedTotal ?? document.totals.totalAmount, document.currnIdx)}
        </strong>
        {acceptance?.poNumber ? <>, your PO number {acceptance.poNumber}</> : null}.
      </p>
      <h3>What happens next</h3>
      <ol>
        <li>
          {quote.orderNo ? (
            <>
              Your order number is <strong className="tabular">{quote.orderNo}</strong>.
            </>
          ) : (
            <>{seller} has been notified and is processing your order.</>
          )}
        </li>
        <li>We will contact you about delivery to the ship-to address below.</li>
        <li>
          {acceptance?.poNumber
            ? 'Keep the PDF for your records.'
            : 'Send us your PO number when you have it, and keep the PDF for your records.'}
        </li>
      </ol>
      <Group gap="md">
        {download}
        <span>
          Questions? {seller}
          {phone ? (
            <>
              , <Anchor href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</Anchor>
            </>
          ) : null}
          {email ? (
            <>
              , <Anchor href={`mailto:${email}`}>{email}</Anchor>
            </>
          ) : null}
        </span>
      </Group>
    </section>
  );
}
