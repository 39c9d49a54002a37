// Combines the contracts of all features: every call of the product.

import { areaImport } from '#addons/area-import/addon.ts';
import { territoryMap } from '#addons/territory-map/addon.ts';
import { territoryPlans } from '#addons/territory-plans/addon.ts';
import { facilityDuplicates } from '#addons/facility-duplicates/addon.ts';
import { quotesAtRisk } from '#addons/quotes-at-risk/addon.ts';
import { eligibility } from '#addons/eligibility/addon.ts';
import { configurators } from '#addons/configurators/addon.ts';
import { configurableModels } from '#addons/configurable-models/addon.ts';
import { savings } from '#addons/savings/addon.ts';
import { orders } from '#addons/orders/addon.ts';
import { crm } from '#addons/crm/addon.ts';
import { singleSignOn } from '#addons/single-sign-on/addon.ts';
import { webhooks } from '#addons/webhooks/addon.ts';
import { reports } from '#addons/reports/addon.ts';
import { Features } from '#platform/features/features.contract.ts';
import { CrossReference } from '#core/catalog/cross-references/cross-references.contract.ts';
import { ItemDocuments } from '#core/catalog/documents/documents.contract.ts';
import { ItemClass } from '#core/catalog/item-classes/item-classes.contract.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { ItemImageCloud } from '#core/catalog/pictures/cloud/cloud.contract.ts';
import { ItemImageGallery } from '#core/catalog/pictures/gallery/gallery.contract.ts';
import { ItemImageProcess } from '#core/catalog/pictures/pictures.contract.ts';
import { ItemMapping } from '#core/catalog/products/mapping/mapping.contract.ts';
import { ItemProdDb } from '#core/catalog/products/populate-products.contract.ts';
import { Products } from '#core/catalog/products/products.contract.ts';
import { CompanyAdmin } from '#core/company/company-admin/company-admin.contract.ts';
import { PublicSiteAdmin } from '#core/company/public-site/public-site.contract.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { FacilityList } from '#core/customers/facilities/facility-list.contract.ts';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { FacilityView } from '#core/customers/facility-admin/facility-view.contract.ts';
import { GposToChoose } from '#core/customers/facility-admin/gpos-to-choose/gpos-to-choose.contract.ts';
import { Audit } from '#core/company/audit/audit.contract.ts';
import { BackgroundWork } from '#platform/background-work/background-work.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { ImportInbox } from '#platform/data-import/inbox/import-inbox.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { Presence } from '#core/quoting/presence/presence.contract.ts';
import { Mailbox } from '#platform/mail/mailbox.contract.ts';
import { NotificationSettings } from '#platform/notifications/notification-settings.contract.ts';
import { NotificationCalls } from '#platform/notifications/notifications.contract.ts';
import { Palette } from '#core/company/palette/palette.contract.ts';
import { Retention } from '#platform/retention/retention.contract.ts';
import { SavedView } from '#platform/saved-views/saved-views.contract.ts';
import { SecurityLog } from '#core/company/security-log/security-log.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { Invitation } from '#platform/auth/invitations/invitation.contract.ts';
import { Passkeys } from '#platform/auth/passkeys/passkeys.contract.ts';
import { SecondFactor } from '#platform/auth/second-factor/second-factor.contract.ts';
import { SecondFactorAdmin } from '#platform/auth/second-factor/second-factor-admin.contract.ts';
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
import { QuoteFollowUp } from '#core/quoting/follow-up/follow-up.contract.ts';
import { ManyQuotes } from '#core/quoting/many-quotes/many-quotes.contract.ts';
import { NewQuote } from '#core/quoting/new-quote/new-quote.contract.ts';
import { ContractWhatIf } from '#core/quoting/next-tier/next-tier.contract.ts';
import { QuoteBoard } from '#core/quoting/quote-board/layout/board-layout.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { TazImport } from '#core/territories/zip-assignment-import/zip-assignment-import.contract.ts';
import { Territory } from '#core/territories/territories/territories.contract.ts';
import { TazApi } from '#core/territories/territory-admin/find-rep/find-rep.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { ZipAreas } from '#core/territories/zip-areas/zip-areas.contract.ts';

/** The calls of the core and the platform. */
export const coreContract = {
  ApiKey,
  Audit,
  Auth,
  ApprovalAbsences,
  ApprovalRules,
  BackgroundWork,
  CompanyAdmin,
  Contract,
  ContractFiles,
  ContractWhatIf,
  DataImport,
  FacilityAdmin,
  FacilityContracts,
  GposToChoose,
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
  Palette,
  Presence,
  Products,
  PublicSiteAdmin,
  QuoteBoard,
  QuoteDoc,
  QuoteEdit,
  QuoteFileUpload,
  Comment,
  QuoteFollowUp,
  QuoteSearch,
  QuoteTemplates,
  QuoteWorkflow,
  Region,
  Roster,
  SecondFactor,
  Passkeys,
  SecondFactorAdmin,
  Retention,
  SavedView,
  SecurityLog,
  TazApi,
  TazImport,
  Territory,
  TerritoryAdmin,
  User,
  UserAccount,
  UserEdit,
  Users,
  ZipAreas,
  Features,
};

export const contract = {
  ...coreContract,
  ...areaImport.calls,
  ...territoryMap.calls,
  ...territoryPlans.calls,
  ...facilityDuplicates.calls,
  ...quotesAtRisk.calls,
  ...eligibility.calls,
  ...configurators.calls,
  ...configurableModels.calls,
  ...savings.calls,
  ...orders.calls,
  ...crm.calls,
  ...singleSignOn.calls,
  ...webhooks.calls,
  ...reports.calls,
};
