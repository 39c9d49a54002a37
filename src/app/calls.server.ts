// Registers every feature's calls and all background work.
import type { FastifyInstance } from 'fastify';
import { serve } from '#api/serve.server.ts';
import type { Services } from '#api/services.server.ts';
import { crossReferenceAnswers } from '#features/catalogue/cross-references/cross-references.server.ts';
import { itemDocumentAnswers } from '#features/catalogue/documents/documents.server.ts';
import { itemClassAnswers } from '#features/catalogue/item-classes/item-classes.server.ts';
import { serveItemImages } from '#features/catalogue/items/serve-pictures.server.ts';
import { itemSearchAnswers } from '#features/catalogue/items/items.server.ts';
import { itemImageCloudAnswers } from '#features/catalogue/pictures/cloud/cloud.server.ts';
import { purgeRemovedJob } from '#features/catalogue/pictures/cloud/purge-removed.server.ts';
import { uploadPictureJob } from '#features/catalogue/pictures/cloud/upload-picture.server.ts';
import { itemImageGalleryAnswers } from '#features/catalogue/pictures/gallery/gallery.server.ts';
import { movePictureFilesJob } from '#features/catalogue/pictures/inbox/move-picture.server.ts';
import { scanInboxJob } from '#features/catalogue/pictures/inbox/scan-inbox.server.ts';
import { itemImageProcessAnswers } from '#features/catalogue/pictures/pictures.server.ts';
import { checkPictureJob } from '#features/catalogue/pictures/renditions/check-picture.server.ts';
import { itemMappingAnswers } from '#features/catalogue/products/mapping/mapping.server.ts';
import { itemProdDbAnswers } from '#features/catalogue/products/populate-products.server.ts';
import { productAnswers } from '#features/catalogue/products/products.server.ts';
import { serveLogos } from '#features/company/company/logo.server.ts';
import { companyAdminAnswers } from '#features/company/company-admin/company-admin.server.ts';
import { publicSiteAnswers } from '#features/company/public-site/public-site.server.ts';
import { facilitySearchAnswers } from '#features/customers/facilities/facilities.server.ts';
import { facilityListAnswers } from '#features/customers/facilities/facility-list.server.ts';
import { facilityAdminAnswers } from '#features/customers/facility-admin/facility-admin.server.ts';
import { facilityViewAnswers } from '#features/customers/facility-admin/facility-view.server.ts';
import { gposToChooseAnswers } from '#features/customers/facility-admin/gpos-to-choose/gpos-to-choose.server.ts';
import { facilityDuplicateAnswers } from '#features/customers/facility-duplicates/facility-duplicates.server.ts';
import { auditAnswers } from '#features/operations/audit/audit.server.ts';
import { backgroundWorkAnswers } from '#features/operations/background-work/background-work.server.ts';
import { orphanedFilesJob } from '#features/operations/background-work/orphaned-files.server.ts';
import { crmAnswers, quoteCrmAnswers } from '#features/operations/crm/crm.server.ts';
import { crmLookJob, crmPushJob } from '#features/operations/crm/queue.server.ts';
import { dataImportAnswers } from '#features/operations/data-import/data-import.server.ts';
import { importInboxWork } from '#features/operations/data-import/inbox/import-inbox.server.ts';
import { importInboxAnswers } from '#features/operations/data-import/inbox/inbox-view.server.ts';
import type { ImportKindServer } from '#features/operations/data-import/kinds/import-kind.server.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#features/operations/data-import/kinds/import-kinds.server.ts';
import { importEffectWork } from '#features/operations/data-import/running/import-effect.server.ts';
import { dataImportWork } from '#features/operations/data-import/running/import-job.server.ts';
import { historyAnswers } from '#features/operations/history/history.server.ts';
import { presenceAnswers } from '#features/operations/live/presence.server.ts';
import { mailboxAnswers } from '#features/operations/mail/mailbox.server.ts';
import { gatheredMailJob, mailJob } from '#features/operations/mail/outbox.server.ts';
import { dailyMailJob, expiringQuotesJob } from '#features/operations/notifications/notification-jobs.server.ts';
import { notificationSettingsAnswers } from '#features/operations/notifications/notification-settings.server.ts';
import { notificationAnswers } from '#features/operations/notifications/notifications.server.ts';
import { orderExchangeAnswers } from '#features/operations/order-requests/erp-calls.server.ts';
import { orderRequestAnswers, quoteOrderAnswers } from '#features/operations/order-requests/order-requests.server.ts';
import { writeOrdersJob } from '#features/operations/order-requests/write-orders.server.ts';
import { paletteAnswers } from '#features/operations/palette/palette.server.ts';
import { retentionJob } from '#features/operations/retention/clear-old.server.ts';
import { retentionAnswers } from '#features/operations/retention/retention.server.ts';
import { savedViewAnswers } from '#features/operations/saved-views/saved-views.server.ts';
import { clearSecurityLogJob } from '#features/operations/security-events/clear-log.server.ts';
import { securityLogAnswers } from '#features/operations/security-log/security-log.server.ts';
import { webhookJob } from '#features/operations/webhooks/deliver.server.ts';
import { webhookFailingJob } from '#features/operations/webhooks/failing.server.ts';
import { clearWebhooksJob, expiredQuotesJob } from '#features/operations/webhooks/timed-events.server.ts';
import { webhookAnswers } from '#features/operations/webhooks/webhooks.server.ts';
import { apiKeyAnswers } from '#features/people/api-keys/api-keys.server.ts';
import { authAnswers } from '#features/people/auth/auth.server.ts';
import { invitationAnswers } from '#features/people/auth/invitations/invitation.server.ts';
import { passkeyAnswers } from '#features/people/auth/passkeys/passkeys.server.ts';
import { resetPasswordJob } from '#features/people/auth/passwords/temporary-password.server.ts';
import {
  secondFactorAdminAnswers,
  secondFactorAnswers,
} from '#features/people/auth/second-factor/second-factor.server.ts';
import { authenticate } from '#features/people/auth/sessions/caller.server.ts';
import { signOnAdminAnswers } from '#features/people/single-sign-on/settings.server.ts';
import { signOnAnswers } from '#features/people/single-sign-on/sign-on.server.ts';
import { userAccountAnswers, userEditAnswers } from '#features/people/user-admin/user-edit.server.ts';
import { userAnswers } from '#features/people/user-admin/user-list.server.ts';
import { usersAnswers } from '#features/people/users/users.server.ts';
import { contractFileAnswers, folderFileNavAnswers } from '#features/prices/contracts/files/contract-files.server.ts';
import { gpoApiAnswers } from '#features/prices/contract-page/contract-page.server.ts';
import { contractAnswers } from '#features/prices/contracts/contracts.server.ts';
import { contractKind } from '#features/prices/contracts/import/heads/contract-kind.server.ts';
import { priceKind } from '#features/prices/contracts/import/prices/price-kind.server.ts';
import { rosterKind } from '#features/prices/contracts/import/rosters/roster-kind.server.ts';
import { facilityContractAnswers } from '#features/prices/letters-and-rosters/facility-contracts/facility-contracts.server.ts';
import { letterKind } from '#features/prices/letters-and-rosters/letters/letter-kind.server.ts';
import { letterAnswers } from '#features/prices/letters-and-rosters/letters/letters.server.ts';
import { rosterAnswers } from '#features/prices/letters-and-rosters/rosters/rosters.server.ts';
import { itemPromotionAnswers } from '#features/prices/promotion-admin/promotion-admin.server.ts';
import { promotionKind } from '#features/prices/promotion-admin/promotion-kind.server.ts';
import { approvalAbsencesAnswers } from '#features/quoting/approvals/absence/absence.server.ts';
import { approvalRulesAnswers } from '#features/quoting/approvals/rule-settings/approval-rules.server.ts';
import { commentAnswers } from '#features/quoting/comments/comments.server.ts';
import { quoteConfigurationAnswers } from '#features/quoting/configurable-models/choosing/choosing.server.ts';
import { configurableModelAnswers } from '#features/quoting/configurable-models/configurable-models.server.ts';
import { configuratorAnswers, quoteConfiguratorAnswers } from '#features/quoting/configurator/configurator.server.ts';
import { customerReminderJob } from '#features/quoting/customer-reminders/customer-reminders.server.ts';
import { eligibilityAnswers } from '#features/quoting/eligibility/eligibility.server.ts';
import { lapseRequestsJob } from '#features/quoting/eligibility/lapse-requests.server.ts';
import { quoteFollowUpAnswers } from '#features/quoting/follow-up/follow-up.server.ts';
import { manyQuotesAnswers } from '#features/quoting/many-quotes/many-quotes.server.ts';
import { newQuoteAnswers } from '#features/quoting/new-quote/new-quote.server.ts';
import { contractWhatIfAnswers } from '#features/quoting/next-tier/next-tier.server.ts';
import { firmPricesJob } from '#features/quoting/provisional/make-firm.server.ts';
import { quoteBoardAnswers } from '#features/quoting/quote-board/layout/board-layout.server.ts';
import { quoteDocAnswers } from '#features/quoting/quote-doc/quote-doc.server.ts';
import { serveSentPictures } from '#features/quoting/quote-doc/sent-pictures.server.ts';
import { quoteEditAnswers } from '#features/quoting/quote-edit/quote-edit.server.ts';
import { quoteTemplateAnswers } from '#features/quoting/quote-templates/quote-templates.server.ts';
import { approvalReminderJob } from '#features/quoting/quote-workflow/approval-actions/approval-reminders.server.ts';
import { mailProblemJob } from '#features/quoting/quotes/events/mail-problem.server.ts';
import { quoteSearchAnswers } from '#features/quoting/quotes/quotes.server.ts';
import { effectOnQuotes } from '#features/quoting/risks/calculate/import-effect.server.ts';
import { dailyRisksJob, riskJob } from '#features/quoting/risks/calculate/risk-jobs.server.ts';
import { quoteRiskAnswers } from '#features/quoting/risks/risks.server.ts';
import { analysisJob } from '#features/quoting/savings/analysis-job.server.ts';
import { savingsAnswers } from '#features/quoting/savings/savings.server.ts';
import { quoteFileUploadAnswers } from '#features/quoting/workflow-calls/files/quote-files.server.ts';
import { sendRevisionJob } from '#features/quoting/workflow-calls/sending/sending.server.ts';
import { quoteWorkflowAnswers } from '#features/quoting/workflow-calls/workflow-calls.server.ts';
import { reportAnswers } from '#features/reports/calls/reports.server.ts';
import { reportFactsJob } from '#features/reports/facts/catch-up.server.ts';
import { sentReportJob, sentReportsJob } from '#features/reports/sent-reports/send-reports.server.ts';
import { sentReportAnswers } from '#features/reports/sent-reports/sent-reports.server.ts';
import { areaImportAnswers } from '#features/territories/area-import/area-import.server.ts';
import { zipAreasKind } from '#features/territories/area-import/zip-areas-kind.server.ts';
import { regionAnswers } from '#features/territories/regions/regions.server.ts';
import { tazImportAnswers } from '#features/territories/taz-import/taz-import.server.ts';
import { tazKind } from '#features/territories/taz-import/taz-kind.server.ts';
import { territoryAnswers } from '#features/territories/territories/territories.server.ts';
import { tazApiAnswers } from '#features/territories/territory-admin/find-rep/find-rep.server.ts';
import { territoryAdminAnswers } from '#features/territories/territory-admin/territory-admin.server.ts';
import { territoryMapAnswers } from '#features/territories/territory-map/territory-map.server.ts';
import { planWorkJob } from '#features/territories/territory-plans/publishing/plan-work.server.ts';
import { territoryPlanAnswers } from '#features/territories/territory-plans/territory-plans.server.ts';
import { planZipAnswers } from '#features/territories/territory-plans/zips/plan-zips.server.ts';
import { serveGeoFiles } from '#features/territories/zip-areas/geo-files.server.ts';
import { zipAreasAnswers } from '#features/territories/zip-areas/zip-areas.server.ts';
import type { AnyJob } from '#jobs/jobs.server.ts';
import { contract } from './contract.ts';

/** The checks of these kinds report what an import would do to open quotes. */
const CHANGES_PRICES = [
  'prices',
  'account-prices',
  'units',
  'memberships',
  contractKind.kind,
  priceKind.kind,
  rosterKind.kind,
  letterKind.kind,
  promotionKind.kind,
];

/** The kinds of import. A new kind is one more entry. */
export const importKinds = [
  ...IMPORT_KINDS_OF_SCREEN,
  promotionKind,
  tazKind,
  zipAreasKind,
  contractKind,
  priceKind,
  rosterKind,
  letterKind,
].map((kind): ImportKindServer => (CHANGES_PRICES.includes(kind.kind) ? { ...kind, effect: effectOnQuotes } : kind));
const importAnswers = dataImportAnswers(importKinds);

export function serveCalls(app: FastifyInstance): void {
  app.decorate('authenticate', authenticate);
  app.decorate('calls', []);
  serve(app, contract.ApiKey, apiKeyAnswers);
  serve(app, contract.AreaImport, areaImportAnswers);
  serve(app, contract.Audit, auditAnswers);
  serve(app, contract.Auth, authAnswers);
  serve(app, contract.ApprovalAbsences, approvalAbsencesAnswers);
  serve(app, contract.ApprovalRules, approvalRulesAnswers);
  serve(app, contract.BackgroundWork, backgroundWorkAnswers);
  serve(app, contract.CompanyAdmin, companyAdminAnswers);
  serve(app, contract.Configurator, configuratorAnswers);
  serve(app, contract.ConfigurableModels, configurableModelAnswers);
  serve(app, contract.Contract, contractAnswers);
  serve(app, contract.ContractFiles, contractFileAnswers);
  serve(app, contract.ContractWhatIf, contractWhatIfAnswers);
  serve(app, contract.DataImport, importAnswers);
  serve(app, contract.ImportInbox, importInboxAnswers(importKinds));
  serve(app, contract.Eligibility, eligibilityAnswers);
  serve(app, contract.FacilityAdmin, facilityAdminAnswers);
  serve(app, contract.FacilityContracts, facilityContractAnswers);
  serve(app, contract.GposToChoose, gposToChooseAnswers);
  serve(app, contract.FacilityDuplicates, facilityDuplicateAnswers);
  serve(app, contract.FacilitySearch, facilitySearchAnswers);
  serve(app, contract.FacilityList, facilityListAnswers);
  serve(app, contract.FacilityView, facilityViewAnswers);
  serve(app, contract.GpoApi, gpoApiAnswers);
  serve(app, contract.FolderFileNav, folderFileNavAnswers);
  serve(app, contract.History, historyAnswers);
  serve(app, contract.Invitation, invitationAnswers);
  serve(app, contract.ItemClass, itemClassAnswers);
  serve(app, contract.CrossReference, crossReferenceAnswers);
  serve(app, contract.ItemImageCloud, itemImageCloudAnswers);
  serve(app, contract.ItemImageProcess, itemImageProcessAnswers);
  serve(app, contract.ItemImageGallery, itemImageGalleryAnswers);
  serve(app, contract.ItemDocuments, itemDocumentAnswers);
  serve(app, contract.ItemMapping, itemMappingAnswers);
  serve(app, contract.ItemProdDb, itemProdDbAnswers);
  serve(app, contract.Products, productAnswers);
  serve(app, contract.ItemPromotion, itemPromotionAnswers);
  serve(app, contract.ItemSearch, itemSearchAnswers);
  serveItemImages(app);
  serveSentPictures(app);
  serveLogos(app);
  serve(app, contract.Letters, letterAnswers);
  serve(app, contract.Mailbox, mailboxAnswers);
  serve(app, contract.NotificationCalls, notificationAnswers);
  serve(app, contract.NotificationSettings, notificationSettingsAnswers);
  serve(app, contract.OrderExchange, orderExchangeAnswers);
  serve(app, contract.OrderRequests, orderRequestAnswers);
  serve(app, contract.PublicSiteAdmin, publicSiteAnswers);
  serve(app, contract.QuoteBoard, quoteBoardAnswers);
  serve(app, contract.QuoteConfigurator, quoteConfiguratorAnswers);
  serve(app, contract.Crm, crmAnswers);
  serve(app, contract.QuoteConfigurations, quoteConfigurationAnswers);
  serve(app, contract.QuoteCrm, quoteCrmAnswers);
  serve(app, contract.QuoteDoc, quoteDocAnswers);
  serve(app, contract.QuoteEdit, quoteEditAnswers);
  serve(app, contract.QuoteFileUpload, quoteFileUploadAnswers);
  serve(app, contract.QuoteOrders, quoteOrderAnswers);
  serve(app, contract.QuoteFollowUp, quoteFollowUpAnswers);
  serve(app, contract.Comment, commentAnswers);
  serve(app, contract.NewQuote, newQuoteAnswers);
  serve(app, contract.QuoteRisks, quoteRiskAnswers);
  serve(app, contract.QuoteSearch, quoteSearchAnswers);
  serve(app, contract.QuoteTemplates, quoteTemplateAnswers);
  serve(app, contract.ManyQuotes, manyQuotesAnswers);
  serve(app, contract.QuoteWorkflow, quoteWorkflowAnswers);
  serve(app, contract.Region, regionAnswers);
  serve(app, contract.Report, reportAnswers);
  serve(app, contract.SentReports, sentReportAnswers);
  serve(app, contract.Palette, paletteAnswers);
  serve(app, contract.Presence, presenceAnswers);
  serve(app, contract.Retention, retentionAnswers);
  serve(app, contract.SavedView, savedViewAnswers);
  serve(app, contract.Savings, savingsAnswers);
  serve(app, contract.Roster, rosterAnswers);
  serve(app, contract.TazApi, tazApiAnswers);
  serve(app, contract.TazImport, tazImportAnswers(importAnswers));
  serve(app, contract.SecondFactor, secondFactorAnswers);
  serve(app, contract.Passkeys, passkeyAnswers);
  serve(app, contract.SecondFactorAdmin, secondFactorAdminAnswers);
  serve(app, contract.SecurityLog, securityLogAnswers);
  serve(app, contract.SignOn, signOnAnswers);
  serve(app, contract.SignOnAdmin, signOnAdminAnswers);
  serve(app, contract.Territory, territoryAnswers);
  serve(app, contract.TerritoryAdmin, territoryAdminAnswers);
  serve(app, contract.TerritoryMapCalls, territoryMapAnswers);
  serve(app, contract.TerritoryPlans, territoryPlanAnswers);
  serve(app, contract.PlanZips, planZipAnswers);
  serve(app, contract.User, userAnswers);
  serve(app, contract.UserAccount, userAccountAnswers);
  serve(app, contract.UserEdit, userEditAnswers);
  serve(app, contract.Users, usersAnswers);
  serve(app, contract.Webhook, webhookAnswers);
  serve(app, contract.ZipAreas, zipAreasAnswers);
  serveGeoFiles(app);
}

export const jobKinds: readonly AnyJob<Services>[] = [
  analysisJob,
  approvalReminderJob,
  checkPictureJob,
  clearSecurityLogJob,
  clearWebhooksJob,
  crmLookJob,
  crmPushJob,
  customerReminderJob,
  dailyMailJob,
  dailyRisksJob,
  dataImportWork(importKinds),
  expiredQuotesJob,
  expiringQuotesJob,
  importEffectWork(importKinds),
  importInboxWork(importKinds, importAnswers),
  gatheredMailJob,
  mailJob,
  mailProblemJob,
  movePictureFilesJob,
  orphanedFilesJob,
  planWorkJob,
  purgeRemovedJob,
  firmPricesJob,
  lapseRequestsJob,
  reportFactsJob,
  resetPasswordJob,
  retentionJob,
  riskJob,
  scanInboxJob,
  sendRevisionJob,
  sentReportJob,
  sentReportsJob,
  uploadPictureJob,
  webhookFailingJob,
  webhookJob,
  writeOrdersJob,
];
