// Words for templates: who may use one, what a line says.
import { ROLE_LABELS, type Role } from '#shared/roles.ts';
import type { TemplateLine } from './quote-templates.contract.ts';

export function usersInWords(template: {
  ownerOnly: boolean;
  createdBy: string;
  allowedRoles: readonly Role[];
}): string {
  if (template.ownerOnly) return `Only ${template.createdBy}`;
  return template.allowedRoles.map((role) => ROLE_LABELS[role]).join(', ') || 'Everybody';
}

type Line = Pick<TemplateLine, 'type' | 'itemNumber' | 'description' | 'qty' | 'unit'>;

export function lineInWords(line: Line): string {
  if (line.type !== 'item') return line.type === 'section' ? `Section ${line.description}` : `Note ${line.description}`;
  return `${line.qty} ${line.unit} ${line.itemNumber}${line.description ? ` (${line.description})` : ''}`;
}

const MOST_LISTED = 20;

/** The lines that only the first has; when both have the same lines, their order. */
export function linesApart(lines: readonly Line[], others: readonly Line[]): string {
  const left = new Map<string, number>();
  for (const words of others.map(lineInWords)) left.set(words, (left.get(words) ?? 0) + 1);
  const own = lines.map(lineInWords).filter((words) => {
    const count = left.get(words) ?? 0;
    left.set(words, count - 1);
    return count <= 0;
  });
  if (own.length === 0 && lines.length === others.length) return listed(lines.map(lineInWords));
  return listed(own);
}

function listed(words: string[]): string {
  const more = words.length - MOST_LISTED;
  return more > 0 ? `${words.slice(0, MOST_LISTED).join('; ')} and ${more} more` : words.join('; ');
}
