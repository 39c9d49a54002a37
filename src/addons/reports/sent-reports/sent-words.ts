// The words of reports that go out by mail.
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { Every, SentReport } from './sent-reports.contract.ts';

export const EVERY_WORDS: Record<Every, string> = { week: 'Every Monday', month: 'First of the month' };

/** 'Sales representative, Sales support', or the one person. */
export function toWhom({ roles, ownerName }: Pick<SentReport, 'roles' | 'ownerName'>): string {
  return roles.length === 0 ? ownerName : roles.map((role) => ROLE_LABELS[role]).join(', ');
}
