// The words that screens use for orders and their states.
import { formatDate } from '#platform/shared/dates.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type { AnswerLine } from './order-requests.contract.ts';
import type { OrderFormat, OrderState } from './order.ts';

export const ORDER_LABELS: Record<OrderState, string> = {
  Waiting: 'Waiting',
  Sent: 'Sent',
  Acknowledged: 'Acknowledged',
  Rejected: 'Rejected',
  Withdrawn: 'Withdrawn',
};
export const ORDER_TONES: Record<OrderState, Tone> = {
  Waiting: 'blue',
  Sent: 'blue',
  Acknowledged: 'green',
  Rejected: 'red',
  Withdrawn: 'violet',
};

export const FORMAT_LABELS: Record<OrderFormat, string> = { json: 'JSON', csv: 'CSV', x12: 'EDI X12 850' };

const LINE_WORDS: Record<AnswerLine['status'], string> = {
  Accepted: 'accepted',
  Changed: 'changed',
  Backordered: 'backordered',
  Rejected: 'rejected',
};

/** 'Line 2: 5 backordered, ships 12/24/2026, late', 'Line 3: changed to 4' */
export function answerWords({ lineNo, status, qty, shipOn, note }: AnswerLine): string {
  const word = LINE_WORDS[status];
  const many = qty?.toLocaleString('en-US', { maximumFractionDigits: 4 });
  const parts = [
    many === undefined ? word : status === 'Changed' ? `${word} to ${many}` : `${many} ${word}`,
    shipOn ? `ships ${formatDate(shipOn)}` : '',
    note ?? '',
  ];
  return `Line ${lineNo}: ${parts.filter(Boolean).join(', ')}`;
}

/** '3 h': how long something has waited. */
export function ageWords(since: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60)).toLocaleString('en-US')} days`;
}
