// The company's logo or initial at the top of a quote.
import { initialOf } from '#core/quoting/quote-pdf/document-rows.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { LogoPicture } from '#platform/ui/LogoPicture.tsx';
import classes from './CompanyMark.module.css';

/** The logo is as high as the box of the initial, as in the PDF. */
const BOX = { width: 208, height: 44 };

export function CompanyMark({ company }: { company: Pick<QuoteDocument['company'], 'name' | 'logo'> }) {
  const initial = (
    <div className={classes['initial']} aria-hidden>
      {initialOf(company.name)}
    </div>
  );
  return <LogoPicture logo={company.logo} box={BOX} instead={initial} />;
}
