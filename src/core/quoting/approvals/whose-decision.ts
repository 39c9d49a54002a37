// Determines whose decision a rule of an approval request awaits, and who else can be asked.
import { ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import { someOf } from '#platform/shared/first-few.ts';
import type { Awaited, AwaitedPerson } from './approval-shapes.ts';
import { type Approver, type DecidedQuote, reaches, seesToDecide } from './may-decide.ts';

type Reachable = { id: number; name: string; email: string; phone: string };
/** An active colleague who decides rules. `deputy` is the user who decides for them today. */
export type KnownApprover = Approver & Reachable & { deputy: Reachable | null };

/**
 * The users who hold the rule's role and see the quote, or the users above them when there are none. A deputy replaces a user who is away. The
 * requester is never included.
 */
export function awaitedFor(
  role: Role,
  quote: DecidedQuote,
  requestedById: number,
  approvers: readonly KnownApprover[],
): Awaited {
  const able = approvers.filter(
    (person) => person.id !== requestedById && reaches(person.roles, role) && seesToDecide(person, quote),
  );
  const levels = [...new Set<Role>([role, ...(role === 'systemadmin' ? [] : (['salesadmin'] as const)), 'systemadmin'])]
    .map((level) => able.filter((person) => person.roles.includes(level)))
    .filter((people) => people.length > 0);
  const [people = [], ...above] = levels;
  const orAsk = above
    .map((level) => level.filter((person) => !people.includes(person)))
    .find(({ length }) => length > 0);
  const named = (level: readonly KnownApprover[]) => eachOnce(level.map((entry) => whoDecides(entry, requestedById)));
  return { role, people: named(people), orAsk: named(orAsk ?? []) };
}

/** Lists each user once. A user who is both an approver and a deputy is listed as an approver. */
function eachOnce(people: readonly AwaitedPerson[]): AwaitedPerson[] {
  const ownRight = people.filter(({ deputyFor }) => deputyFor === null);
  return [...new Map([...people, ...ownRight].map((person) => [person.id, person])).values()];
}

function whoDecides({ id, name, email, phone, deputy }: KnownApprover, requestedById: number): AwaitedPerson {
  if (deputy && deputy.id !== requestedById) return { ...deputy, deputyFor: name };
  return { id, name, email, phone, deputyFor: null };
}

/** 'Kim Lee (for Pat Doe), Sam Roe and 2 more'. */
export function namesInShort(people: readonly Pick<AwaitedPerson, 'name' | 'deputyFor'>[], shownNames = 3): string {
  return someOf(shownNames, [
    ...new Set(people.map(({ name, deputyFor }) => (deputyFor ? `${name} (for ${deputyFor})` : name))),
  ]);
}

/** The names of the users, or the role when nobody holds it: 'Kim Lee', 'Contract department'. */
export function awaitedNames({ role, people }: Awaited): string {
  return namesInShort(people) || ROLE_LABELS[role];
}
