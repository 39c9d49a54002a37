// Kills servers in the middle of sending to other systems and reading watched folders: nothing is lost and nothing is sent twice.
import { expect, it } from 'vitest';
import { crmPushes } from '#testing/kills/crm-pushes.server.ts';
import { importInbox } from '#testing/kills/import-inbox.server.ts';
import { type KillCase, killAndProve } from '#testing/kills/kill-case.server.ts';
import { pictures } from '#testing/kills/pictures.server.ts';
import { savesAndMails } from '#testing/kills/saves-and-mails.server.ts';
import { webhooks } from '#testing/kills/webhooks.server.ts';

/** The work in progress, and what must be true after the kills. */
const TABLE: { what: string; aCase: () => Promise<KillCase> }[] = [
  { what: 'every acknowledged save is there, and every mail goes out once', aCase: savesAndMails },
  { what: 'every webhook arrives, under one id', aCase: webhooks },
  { what: 'each pushed quote has one opportunity with each line once', aCase: crmPushes },
  { what: 'each file of the watched folder is imported once', aCase: importInbox },
  { what: 'each file of the picture inbox is one picture in one place', aCase: pictures },
];

it.each(TABLE)('$what', { timeout: 1_800_000 }, async ({ aCase }) => {
  expect(await killAndProve(await aCase())).toBe(0);
});
