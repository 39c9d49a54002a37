// Describes a request for approval in one sentence, for the screen and the mail.
import { formatAmount } from '#platform/shared/money.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import type { Asked } from './approval-shapes.ts';

/**
 * 'Sam Roe asks for 12% off $91,442.00 (−$10,973.04) at Mercy Hospital: a competing offer. Margin falls from 45.1 to 37.6%; no line is below its floor; last discount for this facility: 8%.'
 */
export function askedWords(request: Asked, facilityName: string, currnIdx: number): string {
  const { requestedBy, comment, systemTotal, discount, discountPct, marginBefore, marginAfter, underFloor } = request;
  const money = (amount: number) => formatAmount(amount, currnIdx);
  const what =
    discount > 0
      ? discountPct === 0
        ? // Below a hundredth of a percent, which would be shown as zero.
          `${money(discount)} off ${money(systemTotal)}`
        : `${discountPct}% off ${money(systemTotal)} (${money(-discount)})`
      : discount < 0
        ? `${money(-discount)} more than ${money(systemTotal)}`
        : `approval of ${money(systemTotal)}`;
  const words = comment
    .trim()
    .replaceAll(/[.\s]{1,9}(;|$)/g, '$1')
    .replaceAll(/[^\S\n]{0,9}\n\s*/g, ' ');
  const facts = [
    marginWords(marginBefore, marginAfter),
    underFloor === 0
      ? 'no line is below its floor'
      : `${underFloor} ${underFloor === 1 ? 'line is' : 'lines are'} below the floor`,
    ...(request.lastDiscountPct === null ? [] : [`last discount for this facility: ${request.lastDiscountPct}%`]),
  ];
  const [first = '', ...rest] = facts.filter(Boolean);
  return `${requestedBy ? `${requestedBy} asks for` : 'Requested:'} ${what} at ${facilityName}${words ? `: ${words}` : ''}. ${[first.charAt(0).toUpperCase() + first.slice(1), ...rest].join('; ')}.`;
}

function marginWords(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  const [from, to] = [formatPercent(before), formatPercent(after)];
  if (from === to) return `margin stays at ${to}`;
  return `margin ${after < before ? 'falls' : 'rises'} from ${from.replace('%', '')} to ${to}`;
}
