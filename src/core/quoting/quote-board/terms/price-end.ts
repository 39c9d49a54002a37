// Whether the end of a quote's validity is the end of one of its prices, which nobody typed.
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';

/** The server says it among the warnings, which a narrow board folds away. */
export const isPriceEnd = ({ warnings }: Pick<QuoteEditData, 'warnings'>): boolean =>
  warnings.some((warning) => warning.startsWith('Valid until '));
