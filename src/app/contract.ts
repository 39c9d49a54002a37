// Every call of the product: the contract of each feature, joined.
import { Audit } from '#features/audit/audit.contract.ts';
import { Auth } from '#features/auth/auth.contract.ts';
import { ApprovalRules } from '#features/approvals/approval-rules.contract.ts';
import { CompanyAdmin } from '#features/company-admin/company-admin.contract.ts';
import { BackgroundWork } from '#features/background-work/background-work.contract.ts';
import { DataImport } from '#features/data-import/data-import.contract.ts';
import { ItemProdDb } from '#features/data-import/populate-products.contract.ts';
import { FacilityAdmin } from '#features/facility-admin/facility-admin.contract.ts';
import { FacilitySearch } from '#features/facilities/facilities.contract.ts';
import { FacilityList } from '#features/facilities/facility-list.contract.ts';
import { FacilityView } from '#features/facility-admin/facility-view.contract.ts';
import { Invitation } from '#features/auth/invitation.contract.ts';
import { History } from '#features/history/history.contract.ts';
import { ItemClass } from '#features/item-classes/item-classes.contract.ts';
import { ItemSearch } from '#features/items/items.contract.ts';
import { Mailbox } from '#features/mail/mailbox.contract.ts';
import { ItemPromotion } from '#features/promotion-admin/promotion-admin.contract.ts';
import { PublicSiteAdmin } from '#features/public-site/public-site.contract.ts';
import { QuoteDoc } from '#features/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#features/quote-edit/quote-edit.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#features/quote-workflow/quote-workflow.contract.ts';
import { QuoteTemplates } from '#features/quote-templates/quote-templates.contract.ts';
import { QuoteSearch } from '#features/quotes/quotes.contract.ts';
import { Region } from '#features/regions/regions.contract.ts';
import { Territory } from '#features/territories/territories.contract.ts';
import { TazApi } from '#features/territory-admin/find-rep.contract.ts';
import { TazImport } from '#features/taz-import/taz-import.contract.ts';
import { TerritoryAdmin } from '#features/territory-admin/territory-admin.contract.ts';
import { User, UserAccount, UserEdit } from '#features/user-admin/user-admin.contract.ts';
import { Users } from '#features/users/users.contract.ts';

export const contract = {
  Audit,
  Auth,
  ApprovalRules,
  BackgroundWork,
  CompanyAdmin,
  DataImport,
  FacilityAdmin,
  FacilitySearch,
  FacilityList,
  FacilityView,
  History,
  Invitation,
  ItemClass,
  ItemProdDb,
  ItemPromotion,
  ItemSearch,
  Mailbox,
  PublicSiteAdmin,
  QuoteDoc,
  QuoteEdit,
  QuoteFileUpload,
  QuoteSearch,
  QuoteTemplates,
  QuoteWorkflow,
  Region,
  TazApi,
  TazImport,
  Territory,
  TerritoryAdmin,
  User,
  UserAccount,
  UserEdit,
  Users,
};
