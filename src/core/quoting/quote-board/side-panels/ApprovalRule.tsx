// One rule of an approval on the board: why it fired, its outcome, who must still decide and how to reach them.
import { Anchor, Text } from '@mantine/core';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { AwaitedPerson, FiredRule, RequestedRule } from '#core/quoting/approvals/approval-shapes.ts';
import { namesInShort } from '#core/quoting/approvals/whose-decision.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';

/** Shows a rule that would require approval, or a rule of a request with the users who must still decide. */
export function ApprovalRule({ rule }: { rule: FiredRule | RequestedRule }) {
  const approved = 'state' in rule && rule.state === 'Approved';
  return (
    <div>
      <Text size="sm" className={approved ? 'tabular' : 'warning tabular'}>
        {approved ? '✓' : '⚠'} {rule.text}
        {rule.lines.length > 0 ? linesInWords(rule.lines) : ''}
      </Text>
      <Text size="xs" className="muted">
        {rule.name} → {ROLE_LABELS[rule.role]}
      </Text>
      {'state' in rule ? <Fate rule={rule} /> : null}
    </div>
  );
}

function linesInWords(lines: readonly number[]): string {
  const more = lines.length > 8 ? ', …' : '';
  return ` (${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, 8).join(', ')}${more})`;
}

function Fate({ rule }: { rule: RequestedRule }) {
  const { state, decidedBy, decidedAt, comment, awaited, mine, deputyFor } = rule;
  const userId = useSession()?.id;
  if (!awaited) {
    return decidedBy ? (
      <Text size="xs">
        {state} by {decidedBy}
        {decidedAt ? `, ${formatInstant(decidedAt)}` : ''}
        {comment ? <q style={{ display: 'block' }}>{comment}</q> : null}
      </Text>
    ) : null;
  }
  return (
    <>
      <Text size="xs">
        Waiting for{' '}
        {awaited.people.length > 0 ? (
          <People people={awaited.people} />
        ) : (
          `anyone with the role ${ROLE_LABELS[rule.role]}`
        )}
      </Text>
      {mine && !awaited.people.some(({ id }) => id === userId) ? (
        <Text size="xs" fw={600}>
          {deputyFor ? `You can decide on behalf of ${deputyFor}` : 'You can make this decision'}
        </Text>
      ) : null}
      {awaited.orAsk.length > 0 ? (
        <Text size="xs">
          Can also approve: <People people={awaited.orAsk} />
        </Text>
      ) : null}
    </>
  );
}

const SHOWN = 3;

/** Names that open a mail, with phone numbers beside them. The current user's name is 'you'. */
function People({ people }: { people: readonly AwaitedPerson[] }) {
  const userId = useSession()?.id;
  const visible = people.slice(0, SHOWN);
  return (
    <>
      {visible.map((person, index) => (
        <span key={person.id}>
          {index > 0 ? ', ' : ''}
          {person.id === userId ? (
            <b>you{person.deputyFor ? ` (for ${person.deputyFor})` : ''}</b>
          ) : (
            <>
              <Anchor href={`mailto:${person.email}`} inherit>
                {namesInShort([person])}
              </Anchor>
              {person.phone ? <span style={{ whiteSpace: 'nowrap' }}> {person.phone}</span> : null}
            </>
          )}
        </span>
      ))}
      {people.length > SHOWN ? ` and ${people.length - SHOWN} more` : ''}
    </>
  );
}
