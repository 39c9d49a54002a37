// The sent quote as a sheet of paper, with the same texts, order and print layout as its PDF.
import { Fragment, useState } from 'react';
import {
  companyLines,
  conditionsTitle,
  type DocumentRow,
  documentHead,
  documentRows,
  dotted,
  keepsPictureRoom,
  type LineRow,
  provisionalText,
  savingsText,
  totalRows,
} from '#core/quoting/quote-pdf/document-rows.ts';
import type { LinePicture, QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { cssText } from '#platform/ui/printing.web.ts';
import { CompanyMark } from './CompanyMark.tsx';
import classes from './QuoteSheet.module.css';

/** `docId` is the address of the quote, under which the line pictures are served. */
export function QuoteSheet({ docId, document }: { docId: string; document: QuoteDocument }) {
  const { company } = document;
  const head = documentHead(document);
  return (
    <article className={classes['sheet']} aria-label={`Quote ${document.number}`}>
      <header className={classes['head']}>
        <CompanyMark company={company} />
        <div>
          <div className={classes['company']}>{company.name}</div>
          {companyLines(document).map((line) => (
            <div key={line} className={classes['small']}>
              {line}
            </div>
          ))}
        </div>
        <div className={classes['identity']}>
          <h1>
            <span className={classes['label']}>Quote</span>
            <span className={classes['number']}>{document.number}</span>
          </h1>
          <dl>
            {head.facts.map((fact) => (
              <div key={fact.label}>
                <dt className={classes['label']}>{fact.label}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </header>

      <div className={classes['parties']}>
        {head.parties.map((party) => (
          <div key={party.label}>
            <h2 className={classes['label']}>{party.label}</h2>
            <strong>{party.name}</strong>
            {party.lines.map((line) => (
              <div key={line.text}>{line.href ? <a href={line.href}>{afterAt(line.text)}</a> : line.text}</div>
            ))}
          </div>
        ))}
      </div>

      {head.terms.length > 0 ? (
        <dl className={classes['terms']}>
          {head.terms.map((fact) => (
            <div key={fact.label}>
              <dt className={classes['label']}>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      ) : null}

      {document.message ? <p className={classes['message']}>{document.message}</p> : null}

      <Lines docId={docId} document={document} />

      <NextTiers document={document} />

      <section className={classes['conditions']}>
        <h2 className={classes['label']}>{conditionsTitle(document)}</h2>
        <p>{document.terms.text}</p>
      </section>
      <style nonce={appConfig.styleNonce}>{pageMargins(document)}</style>
    </article>
  );
}

/** The savings at other tiers that the seller chose to show. They appear neither in print nor in the PDF. */
function NextTiers({ document: { nextTiers, currnIdx } }: { document: QuoteDocument }) {
  if (nextTiers.length === 0) return null;
  return (
    <section className={`${classes['conditions']} no-print`}>
      <h2 className={classes['label']}>Savings at other tiers</h2>
      {nextTiers.map(({ contract, tier, requirement, saving }) => (
        <p key={`${contract} ${tier}`}>
          At {tier} of contract {contract} this quote would be {formatAmount(saving, currnIdx)} less before freight and
          tax.
          {requirement ? ` Requires: ${requirement}.` : ''}
        </p>
      ))}
    </section>
  );
}

/** Allows a line break after the @ of a long email address. */
function afterAt(text: string) {
  const [name, host] = text.split('@');
  if (!host) return text;
  return (
    <>
      {name}@<wbr />
      {host}
    </>
  );
}

function Lines({ docId, document }: { docId: string; document: QuoteDocument }) {
  const hasRoom = keepsPictureRoom(document);
  return (
    <table className={classes['lines']}>
      <thead>
        <tr>
          <th scope="col" className={classes['figure']}>
            #
          </th>
          <th scope="col">Item</th>
          <th scope="col">
            <span className={hasRoom ? classes['besidePicture'] : undefined}>Description</span>
          </th>
          <th scope="col" className={classes['figure']}>
            Qty
          </th>
          <th scope="col">Unit</th>
          <th scope="col" className={classes['figure']}>
            Price
          </th>
          <th scope="col" className={classes['figure']}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {documentRows(document).map((row) => (
          <Row
            key={`${row.kind} ${row.kind === 'line' ? row.lineNo : row.place}`}
            row={row}
            docId={hasRoom ? docId : null}
          />
        ))}
        <Totals document={document} />
      </tbody>
    </table>
  );
}

/** Uses one row, so that no page break falls inside. */
function Totals({ document }: { document: QuoteDocument }) {
  const savings = savingsText(document);
  const provisional = provisionalText(document);
  return (
    <tr className={classes['totals']}>
      <td colSpan={7}>
        <dl>
          {totalRows(document).map((row) => (
            <div key={row.label} className={row.total ? (classes['total'] ?? '') : ''}>
              <dt>{row.label}</dt>
              <dd>{row.amount}</dd>
            </div>
          ))}
        </dl>
        {provisional ? <p>{provisional}</p> : null}
        {savings ? <p>{savings}</p> : null}
      </td>
    </tr>
  );
}

/** The margin texts of printed pages, as on the PDF. The style sheet adds the page number. */
function pageMargins({ company, number }: QuoteDocument): string {
  const text = (words: string) => `content: ${cssText(words)}; font: 8.5pt system-ui, sans-serif; color: #59616b;`;
  return `@page quote { @bottom-left { ${text(dotted(company.name, `Quote ${number}`, company.phone))} } }
    @page quote { @top-left { ${text(company.name)} } @top-right { ${text(`Quote ${number}`)} } }
    @page quote:first { @top-left { content: none; } @top-right { content: none; } }`;
}

function Row({ row, docId }: { row: DocumentRow; docId: string | null }) {
  if (row.kind === 'line') return <Line row={row} docId={docId} />;
  if (row.kind === 'section') {
    return (
      <tr className={classes['section']}>
        <th colSpan={7}>{row.title}</th>
      </tr>
    );
  }
  if (row.kind === 'note') {
    return (
      <tr className={classes['note']}>
        <td colSpan={7}>{row.text}</td>
      </tr>
    );
  }
  return (
    <tr className={classes['subtotal']}>
      <th scope="row" colSpan={6}>
        Subtotal {row.title}
      </th>
      <td className={classes['figure']}>{row.amount}</td>
    </tr>
  );
}

/** The number of characters up to which the columns for item number and unit are as wide as their content. */
const MAX_NUMBER_LENGTH = 16;
const MAX_UNIT_LENGTH = 12;

/** `docId` is null when lines have no room for pictures. */
function Line({ row, docId }: { row: LineRow; docId: string | null }) {
  return (
    <tr className={row.optional ? `${classes['line']} ${classes['optional']}` : classes['line']}>
      <td className={classes['no']}>{row.lineNo}</td>
      <td className={row.itemNumber.length > MAX_NUMBER_LENGTH ? classes['longItem'] : classes['item']}>
        {row.itemNumber}
      </td>
      <td className={classes['description']}>
        {docId === null ? (
          <Words row={row} />
        ) : (
          <div className={classes['pictured']}>
            <Picture docId={docId} picture={row.picture} name={row.description} />
            <div>
              <Words row={row} />
            </div>
          </div>
        )}
      </td>
      <td className={classes['qty']}>{row.qty}</td>
      <td className={row.unit.length > MAX_UNIT_LENGTH ? classes['longUnit'] : classes['unit']}>{row.unit}</td>
      <td className={classes['price']}>{row.price}</td>
      <td className={classes['amount']}>{row.amount}</td>
    </tr>
  );
}

function Words({ row }: { row: LineRow }) {
  return (
    <>
      {row.description}
      {row.remarks.map((remark) => (
        <Fragment key={remark}>
          <br />
          <small>{remark}</small>
        </Fragment>
      ))}
    </>
  );
}

/**
 * The picture, which opens enlarged when clicked. Without a picture, the place is as wide but not as high, so that descriptions align. A picture that
 * fails to load keeps its height, so that the page does not move.
 */
function Picture({ docId, picture, name }: { docId: string; picture: LinePicture | null; name: string }) {
  const [isLost, setIsLost] = useState(false);
  if (!picture) return <span className={classes['noPicture']} />;
  if (isLost) return <span className={classes['picture']} />;
  return (
    <a
      className={classes['picture']}
      href={paths.sentPicture(docId, picture.large)}
      target="_blank"
      rel="noopener"
      aria-label={`Picture of ${name}`}
    >
      {/* Loads all pictures at once, because a printed page does not scroll. */}
      <img
        src={paths.sentPicture(docId, picture.small)}
        alt=""
        width={48}
        height={48}
        decoding="async"
        onError={() => setIsLost(true)}
      />
    </a>
  );
}
