// Texts about templates: who may use one, and a line in words.
import { wordsApart } from '#platform/history/words-apart.ts';
import { ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import type { TemplateLine } from './quote-templates.contract.ts';

export function usersInWords(template: {
  ownerOnly: boolean;
  createdBy: string;
  allowedRoles: readonly Role[];
}): string {
  if (template.ownerOnly) return `Only ${template.createdBy}`;
  return template.allowedRoles.map((role) => ROLE_LABELS[role]).join(', ') || 'Everyone';
}

type Line = Pick<TemplateLine, 'type' | 'itemNumber' | 'description' | 'qty' | 'unit'>;

export function lineInWords(line: Line): string {
  if (line.type !== 'item') return line.type === 'section' ? `Section ${line.description}` : `Note ${line.description}`;
  return `${line.qty} ${line.unit} ${line.itemNumber}${line.description ? ` (${line.description})` : ''}`;
}

/** The lines that are only in the first list, or their order when both lists contain the same lines. */
export function linesApart(lines: readonly Line[], others: readonly Line[]): string {
  return wordsApart(lines.map(lineInWords), others.map(lineInWords));
}
