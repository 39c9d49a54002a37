// Joins the contracts of all features into one: every call of the product.

import { CrossReference } from '#core/catalogue/cross-references/cross-references.contract.ts';
import { ItemDocuments } from '#core/catalogue/documents/documents.contract.ts';
import { ItemClass } from '#core/catalogue/item-classes/item-classes.contract.ts';
import { ItemSearch } from '#core/catalogue/items/items.contract.ts';
import { ItemImageCloud } from '#core/catalogue/pictures/cloud/cloud.contract.ts';
import { ItemImageGallery } from '#core/catalogue/pictures/gallery/gallery.contract.ts';
import { ItemImageProcess } from '#core/catalogue/pictures/pictures.contract.ts';
import { ItemMapping } from '#core/catalogue/products/mapping/mapping.contract.ts';
import { ItemProdDb } from '#core/catalogue/products/populate-products.contract.ts';
import { Products } from '#core/catalogue/products/products.contract.ts';
import { CompanyAdmin } from '#core/company/company-admin/company-admin.contract.ts';
import { PublicSiteAdmin } from '#core/company/public-site/public-site.contract.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { FacilityList } from '#core/customers/facilities/facility-list.contract.ts';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { FacilityView } from '#core/customers/facility-admin/facility-view.contract.ts';
import { GposToChoose } from '#core/customers/facility-admin/gpos-to-choose/gpos-to-choose.contract.ts';
import { FacilityDuplicates } from '#addons/facility-duplicates/facility-duplicates.contract.ts';
import { Audit } from '#platform/audit/audit.contract.ts';
import { BackgroundWork } from '#platform/background-work/background-work.contract.ts';
import { Crm, QuoteCrm } from '#addons/crm/crm.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ImportInbox } from '#platform/data-import/inbox/import-inbox.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { Presence } from '#platform/live/presence.contract.ts';
import { Mailbox } from '#platform/mail/mailbox.contract.ts';
import { NotificationSettings } from '#platform/notifications/notification-settings.contract.ts';
import { NotificationCalls } from '#platform/notifications/notifications.contract.ts';
import { OrderExchange, OrderRequests, QuoteOrders } from '#addons/orders/order-requests.contract.ts';
import { Palette } from '#core/company/palette/palette.contract.ts';
import { Retention } from '#platform/retention/retention.contract.ts';
import { SavedView } from '#platform/saved-views/saved-views.contract.ts';
import { SecurityLog } from '#platform/security-log/security-log.contract.ts';
import { Webhook } from '#addons/webhooks/webhooks.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { Invitation } from '#platform/auth/invitations/invitation.contract.ts';
import { Passkeys } from '#platform/auth/passkeys/passkeys.contract.ts';
import { SecondFactor } from '#platform/auth/second-factor/second-factor.contract.ts';
import { SecondFactorAdmin } from '#platform/auth/second-factor/second-factor-admin.contract.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { SignOnAdmin } from '#addons/single-sign-on/single-sign-on.contract.ts';
import { User, UserAccount, UserEdit } from '#core/people/user-admin/user-admin.contract.ts';
import { Users } from '#platform/users/users.contract.ts';
import { ContractFiles, FolderFileNav } from '#core/prices/contracts/files/contract-files.contract.ts';
import { GpoApi } from '#core/prices/contract-page/contract-page.contract.ts';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { FacilityContracts } from '#core/prices/letters-and-rosters/facility-contracts/facility-contracts.contract.ts';
import { Letters } from '#core/prices/letters-and-rosters/letters/letters.contract.ts';
import { Roster } from '#core/prices/letters-and-rosters/rosters/rosters.contract.ts';
import { ItemPromotion } from '#core/prices/promotion-admin/promotion-admin.contract.ts';
import { ApprovalAbsences } from '#core/quoting/approvals/absence/absence.contract.ts';
import { ApprovalRules } from '#core/quoting/approvals/rule-settings/approval-rules.contract.ts';
import { Comment } from '#core/quoting/comments/comments.contract.ts';
import { QuoteConfigurations } from '#addons/configurable-models/choosing/choosing.contract.ts';
import { ConfigurableModels } from '#addons/configurable-models/configurable-models.contract.ts';
import { Configurator, QuoteConfigurator } from '#addons/configurators/configurator.contract.ts';
import { Eligibility } from '#addons/eligibility/eligibility.contract.ts';
import { QuoteFollowUp } from '#core/quoting/follow-up/follow-up.contract.ts';
import { ManyQuotes } from '#core/quoting/many-quotes/many-quotes.contract.ts';
import { NewQuote } from '#core/quoting/new-quote/new-quote.contract.ts';
import { ContractWhatIf } from '#core/quoting/next-tier/next-tier.contract.ts';
import { QuoteBoard } from '#core/quoting/quote-board/layout/board-layout.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteRisks } from '#addons/quotes-at-risk/risks.contract.ts';
import { Savings } from '#addons/savings/savings.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { Report } from '#addons/reports/reports.contract.ts';
import { SentReports } from '#addons/reports/sent-reports/sent-reports.contract.ts';
import { AreaImport } from '#addons/area-import/area-import.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { TazImport } from '#core/territories/taz-import/taz-import.contract.ts';
import { Territory } from '#core/territories/territories/territories.contract.ts';
import { TazApi } from '#core/territories/territory-admin/find-rep/find-rep.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { TerritoryMapCalls } from '#addons/territory-map/territory-map.contract.ts';
import { TerritoryPlans } from '#addons/territory-plans/territory-plans.contract.ts';
import { PlanZips } from '#addons/territory-plans/zips/plan-zips.contract.ts';
import { ZipAreas } from '#core/territories/zip-areas/zip-areas.contract.ts';

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
