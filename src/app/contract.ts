// Joins the contracts of all features into one: every call of the product.

import { CrossReference } from '#features/catalogue/cross-references/cross-references.contract.ts';
import { ItemDocuments } from '#features/catalogue/documents/documents.contract.ts';
import { ItemClass } from '#features/catalogue/item-classes/item-classes.contract.ts';
import { ItemSearch } from '#features/catalogue/items/items.contract.ts';
import { ItemImageCloud } from '#features/catalogue/pictures/cloud/cloud.contract.ts';
import { ItemImageGallery } from '#features/catalogue/pictures/gallery/gallery.contract.ts';
import { ItemImageProcess } from '#features/catalogue/pictures/pictures.contract.ts';
import { ItemMapping } from '#features/catalogue/products/mapping/mapping.contract.ts';
import { ItemProdDb } from '#features/catalogue/products/populate-products.contract.ts';
import { Products } from '#features/catalogue/products/products.contract.ts';
import { CompanyAdmin } from '#features/company/company-admin/company-admin.contract.ts';
import { PublicSiteAdmin } from '#features/company/public-site/public-site.contract.ts';
import { FacilitySearch } from '#features/customers/facilities/facilities.contract.ts';
import { FacilityList } from '#features/customers/facilities/facility-list.contract.ts';
import { FacilityAdmin } from '#features/customers/facility-admin/facility-admin.contract.ts';
import { FacilityView } from '#features/customers/facility-admin/facility-view.contract.ts';
import { GposToChoose } from '#features/customers/facility-admin/gpos-to-choose/gpos-to-choose.contract.ts';
import { FacilityDuplicates } from '#features/customers/facility-duplicates/facility-duplicates.contract.ts';
import { Audit } from '#features/operations/audit/audit.contract.ts';
import { BackgroundWork } from '#features/operations/background-work/background-work.contract.ts';
import { Crm, QuoteCrm } from '#features/operations/crm/crm.contract.ts';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { ImportInbox } from '#features/operations/data-import/inbox/import-inbox.contract.ts';
import { History } from '#features/operations/history/history.contract.ts';
import { Presence } from '#features/operations/live/presence.contract.ts';
import { Mailbox } from '#features/operations/mail/mailbox.contract.ts';
import { NotificationSettings } from '#features/operations/notifications/notification-settings.contract.ts';
import { NotificationCalls } from '#features/operations/notifications/notifications.contract.ts';
import {
  OrderExchange,
  OrderRequests,
  QuoteOrders,
} from '#features/operations/order-requests/order-requests.contract.ts';
import { Palette } from '#features/operations/palette/palette.contract.ts';
import { Retention } from '#features/operations/retention/retention.contract.ts';
import { SavedView } from '#features/operations/saved-views/saved-views.contract.ts';
import { SecurityLog } from '#features/operations/security-log/security-log.contract.ts';
import { Webhook } from '#features/operations/webhooks/webhooks.contract.ts';
import { ApiKey } from '#features/people/api-keys/api-keys.contract.ts';
import { Auth } from '#features/people/auth/auth.contract.ts';
import { Invitation } from '#features/people/auth/invitations/invitation.contract.ts';
import { Passkeys } from '#features/people/auth/passkeys/passkeys.contract.ts';
import { SecondFactor } from '#features/people/auth/second-factor/second-factor.contract.ts';
import { SecondFactorAdmin } from '#features/people/auth/second-factor/second-factor-admin.contract.ts';
import { SignOn } from '#features/people/auth/sign-on/sign-on.contract.ts';
import { SignOnAdmin } from '#features/people/single-sign-on/single-sign-on.contract.ts';
import { User, UserAccount, UserEdit } from '#features/people/user-admin/user-admin.contract.ts';
import { Users } from '#features/people/users/users.contract.ts';
import { ContractFiles, FolderFileNav } from '#features/prices/contracts/files/contract-files.contract.ts';
import { GpoApi } from '#features/prices/contract-page/contract-page.contract.ts';
import { Contract } from '#features/prices/contracts/contracts.contract.ts';
import { FacilityContracts } from '#features/prices/letters-and-rosters/facility-contracts/facility-contracts.contract.ts';
import { Letters } from '#features/prices/letters-and-rosters/letters/letters.contract.ts';
import { Roster } from '#features/prices/letters-and-rosters/rosters/rosters.contract.ts';
import { ItemPromotion } from '#features/prices/promotion-admin/promotion-admin.contract.ts';
import { ApprovalAbsences } from '#features/quoting/approvals/absence/absence.contract.ts';
import { ApprovalRules } from '#features/quoting/approvals/rule-settings/approval-rules.contract.ts';
import { Comment } from '#features/quoting/comments/comments.contract.ts';
import { QuoteConfigurations } from '#features/quoting/configurable-models/choosing/choosing.contract.ts';
import { ConfigurableModels } from '#features/quoting/configurable-models/configurable-models.contract.ts';
import { Configurator, QuoteConfigurator } from '#features/quoting/configurator/configurator.contract.ts';
import { Eligibility } from '#features/quoting/eligibility/eligibility.contract.ts';
import { QuoteFollowUp } from '#features/quoting/follow-up/follow-up.contract.ts';
import { ManyQuotes } from '#features/quoting/many-quotes/many-quotes.contract.ts';
import { NewQuote } from '#features/quoting/new-quote/new-quote.contract.ts';
import { ContractWhatIf } from '#features/quoting/next-tier/next-tier.contract.ts';
import { QuoteBoard } from '#features/quoting/quote-board/layout/board-layout.contract.ts';
import { QuoteDoc } from '#features/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#features/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteSearch } from '#features/quoting/quotes/quotes.contract.ts';
import { QuoteRisks } from '#features/quoting/risks/risks.contract.ts';
import { Savings } from '#features/quoting/savings/savings.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#features/quoting/workflow-calls/workflow-calls.contract.ts';
import { Report } from '#features/reports/reports.contract.ts';
import { SentReports } from '#features/reports/sent-reports/sent-reports.contract.ts';
import { AreaImport } from '#features/territories/area-import/area-import.contract.ts';
import { Region } from '#features/territories/regions/regions.contract.ts';
import { TazImport } from '#features/territories/taz-import/taz-import.contract.ts';
import { Territory } from '#features/territories/territories/territories.contract.ts';
import { TazApi } from '#features/territories/territory-admin/find-rep/find-rep.contract.ts';
import { TerritoryAdmin } from '#features/territories/territory-admin/territory-admin.contract.ts';
import { TerritoryMapCalls } from '#features/territories/territory-map/territory-map.contract.ts';
import { TerritoryPlans } from '#features/territories/territory-plans/territory-plans.contract.ts';
import { PlanZips } from '#features/territories/territory-plans/zips/plan-zips.contract.ts';
import { ZipAreas } from '#features/territories/zip-areas/zip-areas.contract.ts';

export const contract = {
  ApiKey,
  AreaImport,
  Audit,
  Auth,
  ApprovalAbsences,
  ApprovalRules,
  BackgroundWork,
  CompanyAdmin,
  Configurator,
  ConfigurableModels,
  Contract,
  ContractFiles,
  ContractWhatIf,
  Crm,
  DataImport,
  Eligibility,
  FacilityAdmin,
  FacilityContracts,
  GposToChoose,
  FacilityDuplicates,
  FacilitySearch,
  FacilityList,
  FacilityView,
  GpoApi,
  FolderFileNav,
  History,
  ImportInbox,
  Invitation,
  ItemClass,
  CrossReference,
  ItemImageCloud,
  ItemImageGallery,
  ItemImageProcess,
  ItemDocuments,
  ItemMapping,
  ItemProdDb,
  ItemPromotion,
  ItemSearch,
  Letters,
  Mailbox,
  ManyQuotes,
  NotificationCalls,
  NotificationSettings,
  NewQuote,
  OrderExchange,
  OrderRequests,
  Palette,
  Presence,
  Products,
  PublicSiteAdmin,
  QuoteBoard,
  QuoteConfigurations,
  QuoteConfigurator,
  QuoteCrm,
  QuoteDoc,
  QuoteEdit,
  QuoteFileUpload,
  Comment,
  QuoteFollowUp,
  QuoteOrders,
  QuoteRisks,
  QuoteSearch,
  QuoteTemplates,
  QuoteWorkflow,
  Region,
  Report,
  SentReports,
  Roster,
  SecondFactor,
  Passkeys,
  SecondFactorAdmin,
  Retention,
  SavedView,
  Savings,
  SecurityLog,
  SignOn,
  SignOnAdmin,
  TazApi,
  TazImport,
  Territory,
  TerritoryAdmin,
  TerritoryMapCalls,
  TerritoryPlans,
  PlanZips,
  User,
  UserAccount,
  UserEdit,
  Users,
  Webhook,
  ZipAreas,
};
