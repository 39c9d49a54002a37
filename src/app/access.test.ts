// Tests that docs/access.md lists correctly who may make which call; `npx vitest run src/app/access.test.ts -u` writes it from the contract.
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Endpoint } from '#platform/api/endpoint.ts';
import { ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import { contract } from './contract.ts';

const INTRODUCTION = `# Who may call what

Every call of the product and the roles that the server lets in; the contract is the source, and a test keeps this page the same. _anyone_
needs no account, _signed in_ any. What a role then sees and does inside a call (quotes in its sight, actions of the workflow, cost and margin)
is decided beside the call: \`src/core/quoting/quotes/sight.server.ts\`, \`src/core/quoting/quote-workflow/workflow.ts\`.
`;

it('docs/access.md matches the contract', async () => {
  const calls = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group));
  const page = [
    INTRODUCTION,
    ...ROLES.map((role) => `- **${role}**: ${ROLE_LABELS[role]}`),
    '',
    row(['Call', 'anyone', 'signed in', ...ROLES]),
    row(['---', ':-:', ':-:', ...ROLES.map(() => ':-:')]),
    ...calls
      .toSorted((a, other) => a.path.localeCompare(other.path, 'en'))
      .map(({ path: address, access }) =>
        row([
          `\`${address}\``,
          mark(access === 'anyone'),
          mark(access === 'user'),
          ...ROLES.map((role) => mark(access === 'user' || (typeof access !== 'string' && access.includes(role)))),
        ]),
      ),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(path.join(import.meta.dirname, '../../docs/access.md'));
});

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
const mark = (is: boolean) => (is ? '✓' : '');
