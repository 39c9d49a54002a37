// Notifies the users whose approval a quote awaits: which rules they decide, who decides the others, and whom to contact.
import type { Awaited, AwaitedPerson, FiredRule } from '#core/quoting/approvals/approval-shapes.ts';
import { type Notice, notify } from '#platform/notifications/notify.server.ts';
import { readApprovers } from '#core/quoting/approvals/read-approvers.server.ts';
import { awaitedFor, awaitedNames } from '#core/quoting/approvals/whose-decision.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import type { AboutQuote } from '../colleague-mail.server.ts';

export type AwaitedRule = { rule: FiredRule; awaited: Awaited };

/** Finds who decides these rules of a request. */
export async function awaitedRules(
  { db, services, quote }: AboutQuote,
  rules: readonly FiredRule[],
  requestedById: number,
): Promise<AwaitedRule[]> {
  const approvers = await readApprovers(db, services);
  return rules.map((rule) => ({ rule, awaited: awaitedFor(rule.role, quote, requestedById, approvers) }));
}

/**
 * Notifies each user who must still decide (`people`), or each user above them (`orAsk`). `opening` is the first sentence, `comment` the requester's
 * text.
 */
export async function tellApprovers(
  { db, services, quote }: AboutQuote,
  rules: readonly AwaitedRule[],
  to: 'people' | 'orAsk',
  { what, opening, comment, requester }: { what: string; opening: string; comment: string; requester: Notice['by'] },
): Promise<void> {
  const readers = new Map(rules.flatMap(({ awaited }) => awaited[to]).map((person) => [person.id, person]));
  const paragraphs = (readerId: number) => {
    const reader = readers.get(readerId);
    if (!reader) return [];
    const theirs = rules.filter(({ awaited }) => awaited[to].some(({ id }) => id === reader.id));
    const others = rules.filter((rule) => !theirs.includes(rule));
    const deputyFor = [...new Set(theirs.flatMap(({ awaited }) => absentBehind(awaited[to], reader)))];
    const instead = theirs.flatMap(({ awaited }) => (to === 'people' ? awaited.orAsk : awaited.people));
    return [
      opening,
      theirs.map(({ rule }) => `- ${rule.name}: ${rule.text}`).join('\n'),
      deputyFor.length > 0
        ? `You are deciding on behalf of ${deputyFor.join(' and ')}, who ${deputyFor.length === 1 ? 'is' : 'are'} away.`
        : '',
      others.length > 0 ? `Decided by others:\n${others.map(otherRule).join('\n')}` : '',
      comment,
      instead.length > 0 ? `You can also ask: ${reachable(instead)}` : '',
    ];
  };
  const concerns = [...readers.keys()].map((userId) => ({ userId, quoteId: quote.id }));
  await notify(db, services, { kind: 'approvalAsked', by: requester, mail: { what, paragraphs } }, concerns);
}

function absentBehind(people: readonly AwaitedPerson[], reader: AwaitedPerson): string[] {
  return people.flatMap(({ id, deputyFor }) => (id === reader.id && deputyFor !== null ? [deputyFor] : []));
}

function otherRule({ rule, awaited }: AwaitedRule): string {
  const role = ROLE_LABELS[awaited.role];
  return `- ${rule.name} (${awaited.people.length > 0 ? `${role}: ${awaitedNames(awaited)}` : role})`;
}

const MAX_NAMED = 3;

/** Up to three people with their contact details: 'Sam Roe (sam@example.com, 312-555-0100)'. */
export function reachable(people: readonly AwaitedPerson[]): string {
  const each = new Map(people.map((person) => [person.id, person]));
  return [...each.values()]
    .slice(0, MAX_NAMED)
    .map(({ name, email, phone }) => `${name} (${[email, phone].filter(Boolean).join(', ')})`)
    .join(', ');
}
