// Every call of the product: the contract of each feature, joined.
import { Auth } from '#features/auth/auth.contract.ts';
import { FacilitySearch } from '#features/facilities/facilities.contract.ts';
import { ItemSearch } from '#features/items/items.contract.ts';
import { QuoteDoc } from '#features/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#features/quote-edit/quote-edit.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#features/quote-workflow/quote-workflow.contract.ts';
import { QuoteSearch } from '#features/quotes/quotes.contract.ts';
import { Region } from '#features/regions/regions.contract.ts';
import { Territory } from '#features/territories/territories.contract.ts';
import { UserEdit } from '#features/users/users.contract.ts';

export const contract = {
  Auth,
  FacilitySearch,
  ItemSearch,
  QuoteDoc,
  QuoteEdit,
  QuoteFileUpload,
  QuoteSearch,
  QuoteWorkflow,
  Region,
  Territory,
  UserEdit,
};
