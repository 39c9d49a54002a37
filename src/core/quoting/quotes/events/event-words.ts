// Describes the events of a quote: 'Kim Lee added lines from a template'.
import type { ActionName } from '../actions.ts';

/** The text of every event, to follow the actor's name. */
const WORDS: Record<ActionName, string> & Record<string, string> = {
  Create: 'created the quote',
  Edit: 'edited the quote',
  AddTemplate: 'added lines from a template',
  TakeConfigured: 'added items from a configurator',
  DiscardConfigured: 'discarded unused configurator items',
  ApplyPromotion: 'changed a promotion',
  Reprice: 'repriced the quote',
  UseFacilityValues: 'applied changes from the facility',
  KeepFacilityValues: 'kept the quote’s values despite changes at the facility',
  Upload: 'added a file',
  EditFile: 'changed a file',
  RemoveFile: 'removed a file',
  Question: 'asked a question',
  AnswerQuestion: 'answered a question',
  WriteToCustomer: 'wrote to the customer',
  SendMailAgain: 'sent an email again',
  SettleMail: 'marked an email as resolved',
  SetReminder: 'set a reminder to the customer',
  ChangeReminder: 'changed the reminder to the customer',
  StopReminder: 'stopped the reminder to the customer',
  SendReminder: 'reminded the customer',
  RevokeLink: 'closed the customer’s link',
  HandOver: 'handed over the quote',
  MoveFacility: 'moved the quote to the merged facility',
  MoveTerritory: 'reassigned the quote to its current territory',
  ApprovalReminder: 'reminded the approvers',
  ApprovalEscalation: 'escalated the approval',
  MailProblem: 'reported a problem with an email',
  RequestEligibility: 'requested a contract price',
  JoinEligibility: 'added the quote to a request for a contract price',
  LeaveEligibility: 'removed the quote from a request for a contract price',
  StopWaiting: 'removed the quote from a request for a contract price',
  EligibilityStep: 'moved an eligibility request forward',
  PriceFirm: 'made prices firm',
  TellPrices: 'informed the customer of price changes',
  PushToCrm: 'pushed the quote to the CRM',
  PushContactToCrm: 'pushed the contact to the CRM',
  PickCrmRecord: 'picked a CRM record',
  AcknowledgeOrder: 'created the order in the ERP',
  AnswerOrderLines: 'changed lines of the order in the ERP',
  RejectOrder: 'rejected the order for the ERP',
  ResendOrder: 'sent the order to the ERP again',
  Credit: 'credited the quote and billed it again',
  Submit: 'submitted the quote',
  StartProcess: 'started processing',
  Recall: 'recalled the quote',
  RequestInfo: 'requested information',
  ProvideInfo: 'provided the information',
  RequestApproval: 'requested approval',
  ApproveDiscount: 'approved the discount',
  RejectDiscount: 'rejected the discount',
  RecallApproval: 'recalled the request for approval',
  Send: 'sent the quote',
  Resend: 'sent the quote again',
  Revise: 'started a revision',
  DiscardRevision: 'discarded the revision',
  MarkWon: 'marked the quote won',
  MarkLost: 'marked the quote lost',
  Cancel: 'canceled the quote',
  Reopen: 'reopened the quote',
};

/** The stored names of the events. */
export const EVENT_ACTIONS: readonly string[] = Object.keys(WORDS);

/** The customer's actions on the public page have different texts. */
const CUSTOMER_WORDS: Record<string, string> = { MarkWon: 'accepted the quote', MarkLost: 'declined the quote' };

const CUSTOMER = ' (customer)';

/** The customer's name in the history. */
export function customerActor(name: string): string {
  return `${name}${CUSTOMER}`;
}

/** Describes an event, to follow the actor's name. For an event without a text, splits the name of its action into words. */
export function eventWords({ action, actor, to }: { action: string; actor: string; to?: string | null }): string {
  // Each rule needs one decision. Until all rules are decided, the quote stays in Processing.
  if (action === 'ApproveDiscount' && to === 'Processing') return 'approved part of the discount';
  const own = actor.endsWith(CUSTOMER) ? CUSTOMER_WORDS[action] : undefined;
  return own ?? WORDS[action] ?? action.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
