// Reads payment terms, as users type them, as the number of days until the full amount is due (docs/quoting.md).

/** Terms that require payment before or on delivery. */
const AT_ONCE =
  /^(100 ?% )?(pre-?paid|pre-?payment|pre-?pay|(cash|payment|payable|paid|due) (in advance|with order|before shipment|on delivery|(up)?on receipt)|(due |payable )?(up)?on receipt( of invoice)?|in advance|cia|cwo|cbd|cod|c\.o\.d\.|credit ?card|immediate(ly)?|cash)$/;
/** '2% 10,', '1/15' and the like: a discount for paying early. It does not change when the full amount is due. */
const DISCOUNT = /^\d+(\.\d+)? ?(%|\/) ?\/? ?\d+( days)?[,;:/]? ?/;
const DAYS = /^(net|n|due in|within|payable within)?[ /]?(\d{1,3})( days?)?( net)?$/;

/** Returns 30 for 'Net 30' and '2% 10, Net 30', and 0 for 'Prepaid'. Returns null when the terms cannot be read. */
export function paymentDays(terms: string): number | null {
  const words = terms.toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '').trim();
  if (AT_ONCE.test(words)) return 0;
  const match = DAYS.exec(words.replace(DISCOUNT, ''));
  return match ? Number(match[2]) : null;
}
