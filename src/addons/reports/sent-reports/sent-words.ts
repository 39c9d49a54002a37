// The words for reports sent by mail.
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { Every, SentReport } from './sent-reports.contract.ts';

export const EVERY_WORDS: Record<Every, string> = { week: 'Every Monday', month: 'First of the month' };

/** The roles ('Sales representative, Sales support'), or the name of the only recipient. */
export function toWhom({ roles, ownerName }: Pick<SentReport, 'roles' | 'ownerName'>): string {
  return roles.length === 0 ? ownerName : roles.map((role) => ROLE_LABELS[role]).join(', ');
}
