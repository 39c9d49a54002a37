// Tests the whole contract: no call changes an existing record without the version that was read, and none fills in what a save omitted.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { exampleInput } from '#testing/example-input.ts';
import { SEND_VERSION } from '#platform/shared/wire.ts';
import { contract } from './contract.ts';

/** Calls that write and accept the id of an existing record but need no version, each with the reason. */
const NEEDS_NONE: Record<string, string> = {
  // The calls of the specification accept only an id and toggle the state; the screens use calls with a version.
  ActiveDeactiveUser: 'turns the state round under a lock; the screens call SetUserActive',
  ShowHideItemClassInWebQuote: 'one switch; two people who ask for the same get the same',
  RenamePasskey: "names a passkey of one's own; the last name stays",
  // They only add something.
  AddNewUser: 'makes a user; the ids are of regions and of people who are supported',
  AddTerritoryZips: 'adds dated assignments; shows what it takes from other territories before it does',
  CloneQuote: 'makes a quote',
  MakeQuotes: 'makes quotes; a key that was sent before makes no second ones',
  CopyConfigurableModel: 'makes a model',
  copySavedMap: 'makes a plan',
  SaveQuoteConfiguration: 'a new one is named by its caller; the answer refuses an existing one without its version',
  DuplicateQuoteTemplate: 'makes a template',
  SaveQuoteAsTemplate: 'makes a template',
  SaveQuoteTemplateForQuote: 'adds lines at the end of a quote',
  UploadQuoteFile: 'adds a file',
  PopulateInitData: 'makes products of items that have none',
  saveItemXDoc: 'adds links; a link that is there stays',
  RememberNumbers: 'adds references; one that is there stays',
  // They name the wanted value for each record, and return the previous one, so that it can be restored.
  saveItemProdType: 'gives products one type; answers what each was, with its version, for the undo',
  saveItemStatus: 'gives products one status; answers what each was, with its version, for the undo',
  deleteItemXDoc: 'a link is removed once',
  RemoveItemXDocs: 'a link is removed once',
  MapExactMatches: 'maps only items that have no product, each under a lock',
  AskQuestion: 'adds a question',
  AddComment: 'adds a comment',
  DeleteComment: 'a comment is deleted once',
  AnswerQuestion: 'a question is closed once',
  PostConfiguratorItems: 'the configurator leaves all of its configuration; the quote stays as it is',
  UploadConfiguratorItems: 'the same from a file',
  SettleRebill: 'a won quote is credited once, under a lock',
  // They move each picture from one state to the next under a lock, and report for each what could not be done.
  UploadImagesToCloud: 'starts what waits; what is on its way is left alone',
  FileOperation: 'names the operation; the state of each picture decides whether it can be done',
  DeleteItemImage: 'takes a picture from a product once; it can be brought back',
  UpdateItemImageHidenRoles: 'hides many from the same roles; answers what each was, with its version, for the undo',
  // They send again, or settle, what is in trouble; for a mail that no longer is, they answer 409.
  SendQuoteMailAgain: 'the state of the email is checked under a lock',
  SettleQuoteMail: 'the state of the email is checked under a lock',
  MakePdfAgain: 'tries again; whichever job comes first queues the one email',
  MarkRead: "marks one's own notifications read; what is read stays read",
  // They change a state that is checked under a lock, and name the wanted state.
  ChangeQuoteFile: 'says what it wants of one file: shown, hidden or removed',
  AcceptQuote: 'a document is answered once, by its secret id',
  DeclineQuote: 'a document is answered once, by its secret id',
  RevokePublicLink: 'names the revision; a link ends once',
  SignOutUser: 'a session ends once',
  LinkUserSignOn: 'adds a link; one account has one at most',
  UnlinkUserSignOn: 'a link is removed once',
  ResetSecondFactor: 'a second factor is reset once',
  ResendInvitation: 'sends an email; the state of the account is checked',
  MatchColumns: 'an import belongs to who uploaded it, and its state is checked',
  DecideHeldRows: 'an import belongs to who uploaded it, and its state is checked',
  StartCheck: 'an import belongs to who uploaded it, and its state is checked',
  ApplyImport: 'an import is applied once',
  UndoImport: 'an import is undone once, and not over later changes',
  RetryCrmPushes: 'tries again what failed; what did not fail is left alone',
  ReplayWebhookDeliveries: 'sends again what was sent; receivers know it by its id',
  SetStartView: 'says which view a person starts with; the last word stays',
  OrderApprovalRules: 'gives the whole order; refused when a rule came or went since it was read',
};

const writes = Object.values(contract).flatMap((group) =>
  Object.entries<Endpoint>(group).filter(([, { writes: does }]) => does),
);
const isId = (name: string) => /^ids?$|Ids?$/.test(name);

/** Returns whether an input refers to an existing record, at any level. */
function namesSomething(input: unknown): boolean {
  if (Array.isArray(input)) return input.some(namesSomething);
  if (typeof input !== 'object' || input === null) return false;
  return Object.entries(input).some(([name, value]) => isId(name) || namesSomething(value));
}

/** Returns the same input without any version. */
function withoutVersion(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(withoutVersion);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (name === 'version' ? [] : [[name, withoutVersion(value)]])),
  );
}

/** Returns the messages about missing versions. */
function versionMessages(endpoint: Endpoint, input: unknown): string[] {
  const issues = schemasOf(endpoint).input.safeParse(input).error?.issues ?? [];
  return issues.filter(({ path }) => path.at(-1) === 'version').map(({ message }) => message);
}

const asks = writes.filter(
  ([key, endpoint]) =>
    !(key in NEEDS_NONE) && (namesSomething(exampleInput(endpoint)) || 'version' in exampleInput(endpoint)),
);

describe.each(asks)('%s', (_key, endpoint) => {
  const example = exampleInput(endpoint, { id: 1 });

  it('refuses a change of what exists without the version that was read', () => {
    expect(versionMessages(endpoint, withoutVersion(example))).toContain(SEND_VERSION);
  });

  it('says nothing about a version that is sent', () => {
    expect(versionMessages(endpoint, example)).toEqual([]);
  });
});

it('requires no version for a new record', () => {
  const makes = asks.filter(([, endpoint]) => versionMessages(endpoint, { id: 0 }).length === 0);
  expect(makes.map(([key]) => key)).toEqual(
    expect.arrayContaining(['SaveRegion', 'SaveTerritory', 'SaveFacility', 'saveItemPromotion', 'SaveApprovalRule']),
  );
});

it('has no exception for a call that is gone or asks for a version after all', () => {
  const keys = new Map(writes);
  for (const key of Object.keys(NEEDS_NONE)) {
    const endpoint = keys.get(key);
    expect(endpoint && versionMessages(endpoint, withoutVersion(exampleInput(endpoint, { id: 1 })))).toEqual([]);
  }
});

/** Fields that a save of an existing record may omit although a default fills them in, each with the reason. */
const FILLED_IN: Record<string, string> = {
  'SaveTier remove': 'removes only if asked',
  'SaveLine remove': 'removes only if asked',
  'SaveLine itemNumber': 'never changes',
  'SaveLine unit': 'never changes',
  'SavePrice remove': 'removes only if asked',
  'SavePrice beforeGoesOn': 'says what removing does',
  'SaveGpoMembership gpoId': 'required, unless newGpo names a new one',
  'SaveGpoMembership newGpo': 'required, unless gpoId names one',
  'SaveCrmConnection secret': 'empty keeps the secret',
  'SaveSignOnSettings secret': 'empty keeps the secret',
  'SaveDmsItemsToQuote priceReason': 'belongs to the lines that are added',
  'saveSavedMap moves': 'the moves that are added to those of the plan',
};

it('leaves the fields of an existing record alone that a save leaves out', () => {
  const filled = asks.flatMap(([key, endpoint]) => {
    const schema = z.toJSONSchema(schemasOf(endpoint).input, { io: 'input', unrepresentable: 'any' });
    if (!/^(save|change|upload)/i.test(key)) return [];
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      name !== 'id' && typeof field === 'object' && field.default !== undefined ? [`${key} ${name}`] : [],
    );
  });
  expect(filled.toSorted()).toEqual(Object.keys(FILLED_IN).toSorted());
});
