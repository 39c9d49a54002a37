// Payment terms as people write them, read as the days until the full amount is due (docs/decisions/0147).

/** Paid before or with the delivery. */
const AT_ONCE =
  /^(100 ?% )?(pre-?paid|pre-?payment|pre-?pay|(cash|payment|payable|paid|due) (in advance|with order|before shipment|on delivery|(up)?on receipt)|(due |payable )?(up)?on receipt( of invoice)?|in advance|cia|cwo|cbd|cod|c\.o\.d\.|credit ?card|immediate(ly)?|cash)$/;
/** '2% 10,', '1/15' and the like: a discount for paying early, which changes nothing about when the full amount is due. */
const DISCOUNT = /^\d+(\.\d+)? ?(%|\/) ?\/? ?\d+( days)?[,;:/]? ?/;
const DAYS = /^(net|n|due in|within|payable within)?[ /]?(\d{1,3})( days?)?( net)?$/;

/** 'Net 30' and '2% 10, Net 30' are 30, 'Prepaid' is 0; null for words that cannot be read. */
export function paymentDays(terms: string): number | null {
  const words = terms.toLowerCase().replace(/\s+/g, ' ').replace(/\.$/, '').trim();
  if (AT_ONCE.test(words)) return 0;
  const found = DAYS.exec(words.replace(DISCOUNT, ''));
  return found ? Number(found[2]) : null;
}
