// Registers every call and all background work, of the core and of the add-ons.
import type { FastifyInstance } from 'fastify';
import { requireOn } from '#platform/addons/addon.server.ts';
import { featureAnswers } from '#platform/features/features.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { serve } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { crossReferenceAnswers } from '#core/catalog/cross-references/cross-references.server.ts';
import { itemDocumentAnswers } from '#core/catalog/documents/documents.server.ts';
import { itemClassAnswers } from '#core/catalog/item-classes/item-classes.server.ts';
import { serveItemImages } from '#core/catalog/items/serve-pictures.server.ts';
import { itemSearchAnswers } from '#core/catalog/items/items.server.ts';
import { itemImageCloudAnswers } from '#core/catalog/pictures/cloud/cloud.server.ts';
import { purgeRemovedJob } from '#core/catalog/pictures/cloud/purge-removed.server.ts';
import { uploadPictureJob } from '#core/catalog/pictures/cloud/upload-picture.server.ts';
import { itemImageGalleryAnswers } from '#core/catalog/pictures/gallery/gallery.server.ts';
import { movePictureFilesJob } from '#core/catalog/pictures/inbox/move-picture.server.ts';
import { scanInboxJob } from '#core/catalog/pictures/inbox/scan-inbox.server.ts';
import { itemImageProcessAnswers } from '#core/catalog/pictures/pictures.server.ts';
import { checkPictureJob } from '#core/catalog/pictures/renditions/check-picture.server.ts';
import { itemMappingAnswers } from '#core/catalog/products/mapping/mapping.server.ts';
import { itemProdDbAnswers } from '#core/catalog/products/populate-products.server.ts';
import { productAnswers } from '#core/catalog/products/products.server.ts';
import { serveLogos } from '#platform/company/logo.server.ts';
import { companyAdminAnswers } from '#core/company/company-admin/company-admin.server.ts';
import { publicSiteAnswers } from '#core/company/public-site/public-site.server.ts';
import { facilitySearchAnswers } from '#core/customers/facilities/facilities.server.ts';
import { facilityListAnswers } from '#core/customers/facilities/facility-list.server.ts';
import { facilityAdminAnswers } from '#core/customers/facility-admin/facility-admin.server.ts';
import { facilityViewAnswers } from '#core/customers/facility-admin/facility-view.server.ts';
import { gposToChooseAnswers } from '#core/customers/facility-admin/gpos-to-choose/gpos-to-choose.server.ts';
import { auditAnswers } from '#core/company/audit/audit.server.ts';
import { backgroundWorkAnswers } from '#platform/background-work/background-work.server.ts';
import { orphanedFilesJob } from '#platform/background-work/orphaned-files.server.ts';
import { dataImportAnswers } from '#platform/data-import/data-import.server.ts';
import { addonImportKinds } from '#platform/data-import/doors.server.ts';
import { importInboxWork } from '#platform/data-import/inbox/import-inbox.server.ts';
import { importInboxAnswers } from '#platform/data-import/inbox/inbox-view.server.ts';
import type { ImportKindServer } from '#platform/data-import/kinds/import-kind.server.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';
import { importEffectWork } from '#platform/data-import/running/import-effect.server.ts';
import { dataImportWork } from '#platform/data-import/running/import-job.server.ts';
import { historyAnswers } from '#platform/history/history.server.ts';
import { presenceAnswers } from '#core/quoting/presence/presence.server.ts';
import { mailboxAnswers } from '#platform/mail/mailbox.server.ts';
import { gatheredMailJob, mailJob } from '#platform/mail/outbox.server.ts';
import { dailyMailJob, expiringQuotesJob } from '#platform/notifications/notification-jobs.server.ts';
import { notificationSettingsAnswers } from '#platform/notifications/notification-settings.server.ts';
import { notificationAnswers } from '#platform/notifications/notifications.server.ts';
import { paletteAnswers } from '#core/company/palette/palette.server.ts';
import { retentionJob } from '#platform/retention/clear-old.server.ts';
import { retentionAnswers } from '#platform/retention/retention.server.ts';
import { savedViewAnswers } from '#platform/saved-views/saved-views.server.ts';
import { clearSecurityLogJob } from '#platform/security-events/clear-log.server.ts';
import { securityLogAnswers } from '#core/company/security-log/security-log.server.ts';
import { apiKeyAnswers } from '#platform/api-keys/api-keys.server.ts';
import { authAnswers } from '#platform/auth/auth.server.ts';
import { invitationAnswers } from '#platform/auth/invitations/invitation.server.ts';
import { passkeyAnswers } from '#platform/auth/passkeys/passkeys.server.ts';
import { resetPasswordJob } from '#platform/auth/passwords/temporary-password.server.ts';
import { secondFactorAdminAnswers, secondFactorAnswers } from '#platform/auth/second-factor/second-factor.server.ts';
import { authenticate } from '#platform/auth/sessions/caller.server.ts';
import { userAccountAnswers, userEditAnswers } from '#core/people/user-admin/user-edit.server.ts';
import { userAnswers } from '#core/people/user-admin/user-list.server.ts';
import { usersAnswers } from '#platform/users/users.server.ts';
import { contractFileAnswers, folderFileNavAnswers } from '#core/prices/contracts/files/contract-files.server.ts';
import { gpoApiAnswers } from '#core/prices/contract-page/contract-page.server.ts';
import { contractAnswers } from '#core/prices/contracts/contracts.server.ts';
import { contractKind } from '#core/prices/contracts/import/contracts/contract-kind.server.ts';
import { priceKind } from '#core/prices/contracts/import/prices/price-kind.server.ts';
import { rosterKind } from '#core/prices/contracts/import/rosters/roster-kind.server.ts';
import { facilityContractAnswers } from '#core/prices/letters-and-rosters/facility-contracts/facility-contracts.server.ts';
import { letterKind } from '#core/prices/letters-and-rosters/letters/letter-kind.server.ts';
import { letterAnswers } from '#core/prices/letters-and-rosters/letters/letters.server.ts';
import { rosterAnswers } from '#core/prices/letters-and-rosters/rosters/rosters.server.ts';
import { itemPromotionAnswers } from '#core/prices/promotion-admin/promotion-admin.server.ts';
import { promotionKind } from '#core/prices/promotion-admin/promotion-kind.server.ts';
import { approvalAbsencesAnswers } from '#core/quoting/approvals/absence/absence.server.ts';
import { approvalRulesAnswers } from '#core/quoting/approvals/rule-settings/approval-rules.server.ts';
import { commentAnswers } from '#core/quoting/comments/comments.server.ts';
import { customerReminderJob } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import { quoteFollowUpAnswers } from '#core/quoting/follow-up/follow-up.server.ts';
import { manyQuotesAnswers } from '#core/quoting/many-quotes/many-quotes.server.ts';
import { newQuoteAnswers } from '#core/quoting/new-quote/new-quote.server.ts';
import { contractWhatIfAnswers } from '#core/quoting/next-tier/next-tier.server.ts';
import { firmPricesJob } from '#core/quoting/provisional/make-firm.server.ts';
import { quoteBoardAnswers } from '#core/quoting/quote-board/layout/board-layout.server.ts';
import { quoteDocAnswers } from '#core/quoting/quote-doc/quote-doc.server.ts';
import { serveSentPictures } from '#core/quoting/quote-doc/sent-pictures.server.ts';
import { quoteEditAnswers } from '#core/quoting/quote-edit/quote-edit.server.ts';
import { quoteTemplateAnswers } from '#core/quoting/quote-templates/quote-templates.server.ts';
import { approvalReminderJob } from '#core/quoting/quote-workflow/approval-actions/approval-reminders.server.ts';
import { mailProblemJob } from '#core/quoting/quotes/events/mail-problem.server.ts';
import '#core/quoting/quotes/quote-sight.server.ts';
import { quoteSearchAnswers } from '#core/quoting/quotes/quotes.server.ts';
import { effectOnQuotes } from '#addons/quotes-at-risk/calculate/import-effect.server.ts';
import { quoteFileUploadAnswers } from '#core/quoting/workflow-calls/files/quote-files.server.ts';
import { sendRevisionJob } from '#core/quoting/workflow-calls/sending/sending.server.ts';
import { quoteWorkflowAnswers } from '#core/quoting/workflow-calls/workflow-calls.server.ts';
import { regionAnswers } from '#core/territories/regions/regions.server.ts';
import { tazImportAnswers } from '#core/territories/zip-assignment-import/zip-assignment-import.server.ts';
import { tazKind } from '#core/territories/zip-assignment-import/zip-assignment-kind.server.ts';
import { territoryAnswers } from '#core/territories/territories/territories.server.ts';
import { tazApiAnswers } from '#core/territories/territory-admin/find-rep/find-rep.server.ts';
import { territoryAdminAnswers } from '#core/territories/territory-admin/territory-admin.server.ts';
import { serveGeoFiles } from '#core/territories/zip-areas/geo-files.server.ts';
import { zipAreasAnswers } from '#core/territories/zip-areas/zip-areas.server.ts';
import type { AnyJob } from '#platform/jobs/jobs.server.ts';
import { addonsServer } from './addons.server.ts';
import { coreContract as contract } from './contract.ts';

/** A check of these kinds reports the effect of the import on open quotes. */
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

/** The kinds of import. To add a kind, add an entry. */
export const importKinds = [
  ...IMPORT_KINDS_OF_SCREEN,
  promotionKind,
  tazKind,
  ...addonImportKinds.entries().map(({ addon, entry }) => ({ ...entry, addon })),
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
  serve(app, contract.Audit, auditAnswers);
  serve(app, contract.Auth, authAnswers);
  serve(app, contract.ApprovalAbsences, approvalAbsencesAnswers);
  serve(app, contract.ApprovalRules, approvalRulesAnswers);
  serve(app, contract.BackgroundWork, backgroundWorkAnswers);
  serve(app, contract.CompanyAdmin, companyAdminAnswers);
  serve(app, contract.Contract, contractAnswers);
  serve(app, contract.ContractFiles, contractFileAnswers);
  serve(app, contract.ContractWhatIf, contractWhatIfAnswers);
  serve(app, contract.DataImport, importAnswers);
  serve(app, contract.ImportInbox, importInboxAnswers(importKinds));
  serve(app, contract.FacilityAdmin, facilityAdminAnswers);
  serve(app, contract.FacilityContracts, facilityContractAnswers);
  serve(app, contract.GposToChoose, gposToChooseAnswers);
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
  serve(app, contract.PublicSiteAdmin, publicSiteAnswers);
  serve(app, contract.QuoteBoard, quoteBoardAnswers);
  serve(app, contract.QuoteDoc, quoteDocAnswers);
  serve(app, contract.QuoteEdit, quoteEditAnswers);
  serve(app, contract.QuoteFileUpload, quoteFileUploadAnswers);
  serve(app, contract.QuoteFollowUp, quoteFollowUpAnswers);
  serve(app, contract.Comment, commentAnswers);
  serve(app, contract.NewQuote, newQuoteAnswers);
  serve(app, contract.QuoteSearch, quoteSearchAnswers);
  serve(app, contract.QuoteTemplates, quoteTemplateAnswers);
  serve(app, contract.ManyQuotes, manyQuotesAnswers);
  serve(app, contract.QuoteWorkflow, quoteWorkflowAnswers);
  serve(app, contract.Region, regionAnswers);
  serve(app, contract.Palette, paletteAnswers);
  serve(app, contract.Presence, presenceAnswers);
  serve(app, contract.Retention, retentionAnswers);
  serve(app, contract.SavedView, savedViewAnswers);
  serve(app, contract.Roster, rosterAnswers);
  serve(app, contract.TazApi, tazApiAnswers);
  serve(app, contract.TazImport, tazImportAnswers(importAnswers));
  serve(app, contract.SecondFactor, secondFactorAnswers);
  serve(app, contract.Passkeys, passkeyAnswers);
  serve(app, contract.SecondFactorAdmin, secondFactorAdminAnswers);
  serve(app, contract.SecurityLog, securityLogAnswers);
  serve(app, contract.Territory, territoryAnswers);
  serve(app, contract.TerritoryAdmin, territoryAdminAnswers);
  serve(app, contract.User, userAnswers);
  serve(app, contract.UserAccount, userAccountAnswers);
  serve(app, contract.UserEdit, userEditAnswers);
  serve(app, contract.Users, usersAnswers);
  serve(app, contract.Features, featureAnswers);
  serve(app, contract.ZipAreas, zipAreasAnswers);
  serveGeoFiles(app);
  for (const { addon, groups } of addonsServer) {
    const requireAddon = (db: Db) => requireOn(db, addon.name);
    for (const group of groups) serve(app, group.contract, group.answers, requireAddon);
  }
}

export const jobKinds: readonly AnyJob<Services>[] = [
  approvalReminderJob,
  checkPictureJob,
  clearSecurityLogJob,
  customerReminderJob,
  dailyMailJob,
  dataImportWork(importKinds),
  expiringQuotesJob,
  importEffectWork(importKinds),
  importInboxWork(importKinds, importAnswers),
  gatheredMailJob,
  mailJob,
  mailProblemJob,
  movePictureFilesJob,
  orphanedFilesJob,
  purgeRemovedJob,
  firmPricesJob,
  resetPasswordJob,
  retentionJob,
  scanInboxJob,
  sendRevisionJob,
  uploadPictureJob,
  ...addonsServer.flatMap((addon) => addon.jobs),
];
