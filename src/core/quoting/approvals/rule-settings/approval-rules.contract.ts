// The API calls with which administrators edit approval rules (our own calls; design 4).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { APPROVER_ROLES, ROLES, type Role } from '#platform/shared/roles.ts';
import { changesOverVersion, Decimal, Id, Named, RequiredText, Version } from '#platform/shared/wire.ts';
import { FiredRule, METRICS } from '../approval-shapes.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin'];
export const OPERATORS = ['>', '>=', '<', '<='] as const;

const Ids = z.array(Id).max(200).default([]);

/** The filters of a rule. An empty or missing list matches everything. */
const RuleFilters = z.object({
  classIds: Ids,
  regionIds: Ids,
  facilityIds: Ids,
  /** The roles of the requester. */
  requesterRoles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
});

/** Fields that are left out stay unchanged. A new rule is active and has no filters by default. */
export const ApprovalRuleInput = z
  .object({
    /** 0 for a new rule, which is placed last. */
    id: Id.or(z.literal(0)).default(0),
    name: RequiredText(120),
    metric: z.enum(METRICS),
    operator: z.enum(OPERATORS),
    threshold: Decimal,
    /** Replaces all filters at once. */
    filters: RuleFilters.optional(),
    /** Who must approve. */
    role: z.enum(ROLES).refine((role) => APPROVER_ROLES.includes(role), 'This role cannot decide approvals'),
    active: z.boolean().optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

export const ApprovalRule = z.object({
  id: z.number().int(),
  name: z.string(),
  metric: z.enum(METRICS),
  operator: z.enum(OPERATORS),
  threshold: z.number(),
  filters: z.object({
    classIds: z.array(z.number().int()),
    regionIds: z.array(z.number().int()),
    facilityIds: z.array(z.number().int()),
    requesterRoles: z.array(z.enum(ROLES)),
  }),
  role: z.enum(ROLES),
  active: z.boolean(),
  version: z.number().int(),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** How many hours a request waits before the approvers get a reminder, and before the users above them are notified. 0 means never. */
export const ReminderInput = z.object({
  remindAfterHours: z.number().int().min(0).max(2000),
  escalateAfterHours: z.number().int().min(0).max(2000),
  version: Version,
});
export type Reminders = z.infer<typeof ReminderInput>;

export const ApprovalRules = {
  GetApprovalRules: post(
    '/api/ApprovalRules/GetApprovalRules',
    Nothing,
    z.object({
      /** All rules in order, including inactive ones. */
      rules: z.array(ApprovalRule),
      classes: z.array(Named),
      regions: z.array(Named),
      /** The facilities that the rules refer to. */
      facilities: z.array(Named),
      reminders: ReminderInput,
    }),
    { access: ADMINISTRATORS },
  ),
  SaveApprovalReminders: post('/api/ApprovalRules/SaveApprovalReminders', ReminderInput, ReminderInput, {
    access: ADMINISTRATORS,
    writes: true,
    summary: 'Also applies to requests that are already waiting.',
  }),
  SaveApprovalRule: post('/api/ApprovalRules/SaveApprovalRule', ApprovalRuleInput, ApprovalRule, {
    access: ADMINISTRATORS,
    writes: true,
    peopleOnly: true,
    summary: 'Quotes waiting for approval keep the rules that fired when approval was requested.',
  }),
  OrderApprovalRules: post(
    '/api/ApprovalRules/OrderApprovalRules',
    z.object({
      /** All rules, in the new order. */
      ids: z.array(Id).min(1).max(500),
    }),
    z.array(ApprovalRule),
    { access: ADMINISTRATORS, writes: true, peopleOnly: true },
  ),
  TryApprovalRules: post(
    '/api/ApprovalRules/TryApprovalRules',
    z.object({
      /** The number of any quote. */
      num: z.number().int().min(1, 'Enter a quote number').max(2_147_483_647),
      /** The role of the assumed requester. */
      requesterRole: z.enum(ROLES).default('csrep'),
      /** The rule as typed in the form, in place of the saved one. Without it, only saved rules are tried. */
      draft: ApprovalRuleInput.nullish(),
    }),
    z.object({
      number: z.string(),
      facilityName: z.string(),
      totalAmount: z.number(),
      currnIdx: z.number().int(),
      fired: z.array(FiredRule),
    }),
    { access: ADMINISTRATORS, summary: 'The rules that would fire on the current quote. Changes nothing.' },
  ),
};
