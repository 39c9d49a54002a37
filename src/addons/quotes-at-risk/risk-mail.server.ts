// Writes the mail to a customer about changing prices, which the sender reviews. Pure.
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { formatPrice } from '#platform/shared/money.ts';
import type { RiskLine } from './risks.contract.ts';

type About = {
  number: string;
  contactName: string;
  currnIdx: number;
  sender: string;
  company: string;
  today: IsoDate;
  lines: readonly RiskLine[];
};

/** Names items, days and prices, but not where a price came from. Leaves out typed prices, because they do not change. */
export function riskMail({ number, contactName, currnIdx, sender, company, today, lines }: About): {
  subject: string;
  body: string;
} {
  const changes = lines
    .filter(({ typed }) => !typed)
    .map(({ itemNumber, description, unit, quoted, price, day }) => {
      const from = day <= today ? 'now' : `from ${formatDate(day)}`;
      const is =
        price === null ? 'no longer available at the quoted price' : `${formatPrice(price, currnIdx)} per ${unit}`;
      const was = quoted === null ? '' : ` (quoted: ${formatPrice(quoted, currnIdx)})`;
      return `- ${itemNumber} ${description}: ${from} ${is}${was}`;
    });
  return {
    subject: `Prices of quote ${number}`,
    body: [
      `Dear ${contactName || 'Customer'},`,
      `prices of our quote ${number} change:`,
      changes.join('\n'),
      'The quote you have stays as it is. To go ahead with the new prices, reply to this email and we will send you a new quote.',
      `${sender}\n${company}`,
    ].join('\n\n'),
  };
}
