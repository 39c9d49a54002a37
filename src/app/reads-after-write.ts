// Lists what the screens read again after a call that writes. An entry is the beginning of a call's address after /api/.

import type { FactKind } from '#platform/live/live.contract.ts';
import type { News } from '#platform/live/live-link.ts';

const PEOPLE = ['Account/', 'User/', 'UserEdit/', 'Region/', 'Territory/', 'TazApi/', 'QuoteSearch/', 'QuoteEdit/'];
const PLANS = ['TazApi/getSavedMaps'];
/** The calls whose answers show which rep has a ZIP. */
const ASSIGNED = [
  ...PLANS,
  'TazApi/getAllTerritories',
  'TazApi/getFacilitiesForMap',
  'TazApi/getMapPlace',
  'TazApi/getRepListByZipCodeReport',
  'TazApi/getTerrZipGeoJson',
  'TazApi/searchMap',
  'TazApi/searchRepsForWebQuote',
  'Territory/',
  'Region/',
  'Facility',
  'UserEdit/',
  'QuoteSearch/',
  'QuoteEdit/',
];

const OF_FACILITIES = [
  'Facility',
  'Contract/',
  'GpoApi/',
  'Territory/',
  'TazApi/',
  'ItemSearch/',
  'QuoteSearch/',
  'QuoteEdit/',
  'CompanyAdmin/',
];

/** Maps calls that write to the calls whose answers may change as a result. */
export const READ_AGAIN: Record<string, readonly string[]> = {
  'Account/AddNewUser': PEOPLE,
  'Account/UpdateUser': PEOPLE,
  'Account/RenamePasskey': ['Account/GetPasskeys'],
  'UserEdit/': PEOPLE,
  'Features/': ['Features/', 'DataImport/ListImportKinds'],
  'Region/': ['Region/', 'Territory/', 'TazApi/', 'User/', 'UserEdit/', 'Facility', 'QuoteSearch/', 'ApprovalRules/'],
  'Territory/': ['Territory/', 'Region/', 'TazApi/', 'Facility', 'UserEdit/', 'QuoteSearch/', 'QuoteEdit/'],
  // The page of a plan applies the answers itself. A draft does not change assignments.
  'TazApi/saveSavedMap': PLANS,
  'TazApi/copySavedMap': PLANS,
  'TazApi/archiveSavedMap': PLANS,
  'TazApi/publishSavedMap': ASSIGNED,
  'TazApi/rollbackSavedMap': ASSIGNED,
  'Facility/': [...OF_FACILITIES, 'NewQuote/'],
  'FacilityDuplicates/': [...OF_FACILITIES, 'Eligibility/'],
  'CrossReference/': ['CrossReference/', 'ItemSearch/', 'QuoteEdit/ResolvePastedItems'],
  // Accepted numbers become cross-references, and a quote may be created.
  'Savings/': ['Savings/', 'CrossReference/', 'ItemSearch/', 'QuoteEdit/ResolvePastedItems', 'QuoteSearch/'],
  'ItemClass/': ['ItemClass/', 'ItemSearch/', 'ItemPromotion/', 'QuoteTemplate/', 'QuoteEdit/'],
  'ItemImageProcess/': ['ItemImageProcess/', 'ItemProdDb/', 'ItemSearch/', 'QuoteEdit/'],
  'ItemProdDb/': ['ItemProdDb/', 'ItemImageProcess/', 'ItemClass/', 'ItemSearch/', 'QuoteFileUpload/'],
  'ItemPromotion/': ['ItemPromotion/', 'ItemSearch/', 'FacilityView/', 'QuoteEdit/'],
  'Contract/': [
    'Contract/',
    'GpoApi/',
    'folderFileNav/',
    'Facility',
    'ItemSearch/',
    'QuoteEdit/',
    'NewQuote/',
    'Eligibility/',
  ],
  'Eligibility/': ['Eligibility/', 'Contract/', 'GpoApi/', 'Facility', 'ItemSearch/', 'QuoteEdit/', 'QuoteSearch/'],
  'QuoteFollowUp/': ['QuoteFollowUp/', 'Comment/', 'QuoteSearch/', 'Mailbox/', 'QuoteEdit/'],
  'Comment/': ['Comment/', 'QuoteEdit/', 'Mailbox/'],
  'QuoteTemplate/': ['QuoteTemplate/', 'QuoteEdit/GetQuoteTemplateForQuote'],
  'ApprovalRules/': ['ApprovalRules/', 'QuoteSearch/', 'QuoteEdit/'],
  'ApprovalAbsences/': ['ApprovalAbsences/', 'QuoteSearch/', 'QuoteEdit/'],
  // The board itself reads again when something is waiting on its quote.
  'Configurator/': [],
  'ConfigurableModel/': ['ConfigurableModel/', 'QuoteConfigurations/'],
  'QuoteConfigurations/': ['QuoteConfigurations/', 'ConfigurableModel/', 'Configurator/'],
  'CompanyAdmin/': ['CompanyAdmin/', 'QuoteEdit/PopulateNewQuote'],
  'PublicSiteAdmin/': ['PublicSiteAdmin/'],
  'Crm/': ['Crm/', 'QuoteEdit/GetQuoteCrm'],
  'SignIn/': ['SignIn/', 'Account/', 'UserEdit/'],
  'Webhook/': ['Webhook/'],
  'ApiKey/': ['ApiKey/', 'OrderRequest/'],
  'Order/': ['Order/', 'OrderRequest/', 'QuoteEdit/'],
  'OrderRequest/': ['OrderRequest/', 'QuoteEdit/'],
  'Retention/': ['Retention/'],
  'Notification/': ['Notification/'],
  'SavedView/': ['SavedView/'],
  'SentReports/': ['SentReports/'],
  'AreaImport/': ['AreaImport/', 'TazApi/'],
};

/** Maps kinds of records to the calls whose answers are outdated when a record changes, whoever changed it. A board reads its own quote again. */
const READ_AFTER: Record<FactKind, readonly string[]> = {
  quote: ['QuoteSearch/', 'QuoteFollowUp/', 'Comment/', 'QuoteEdit/GetApprovalImpact'],
  eligibility: ['Eligibility/'],
  order: ['OrderRequest/', 'QuoteEdit/GetQuoteOrder'],
  import: ['DataImport/', 'BackgroundWork/'],
  // The page of an analysis reads its rows again if the version has changed.
  savings: ['Savings/GetAnalysis', 'Savings/SearchAnalyses'],
  notification: ['Notification/'],
};

/** Returns whether an earlier answer of `read` is outdated by this news. */
export function isOldByNews(news: News, read: string): boolean {
  const kinds = news === 'all' ? (Object.keys(READ_AFTER) as FactKind[]) : news.map(({ kind }) => kind);
  return kinds.some((kind) => READ_AFTER[kind].some((candidate) => read.startsWith(`/api/${candidate}`)));
}

/** Every change adds to these records. */
const RECORDS = ['History/', 'Audit/'];

/** Returns whether a call to `written` makes an earlier answer of `read` outdated. */
export function isOldAfter(written: string, read: string): boolean {
  const rows = Object.entries(READ_AGAIN).filter(([writer]) => written.startsWith(`/api/${writer}`));
  return rows.some(([, readers]) => [...readers, ...RECORDS].some((reader) => read.startsWith(`/api/${reader}`)));
}
