// Quotes and approval requests for tests: each call makes its own, with people and a facility unless the test gives them.
import type { Db } from '#platform/db/database.server.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { add, extend, percentBelow, subtract } from '#platform/shared/money.ts';
import type { Role } from '#platform/shared/roles.ts';
import { aFacility, aUser } from './people.server.ts';

/** A quote in Editing for a new facility, with one line for each given item number; its rep owns it unless the test says otherwise. */
export async function aQuote(
  db: Db,
  overrides: {
    num?: number;
    revision?: number;
    statusId?: StatusId;
    facility?: { id: number; name: string; acctNo: string };
    facilityName?: string;
    facilityAcctNo?: string;
    ownerId?: number;
    salesRepId?: number | null;
    csRepId?: number;
    isRepId?: number;
    regionId?: number;
    territoryId?: number;
    quoteDate?: string;
    validUntil?: string;
    totalAmount?: number;
    currnIdx?: number;
    contactName?: string;
    phone?: string;
    itemNumbers?: string[];
  } = {},
): Promise<{ id: number; num: number; salesRepId: number | null }> {
  const salesRepId =
    overrides.salesRepId === undefined ? (overrides.ownerId ?? (await aUser(db)).id) : overrides.salesRepId;
  const facility = overrides.facility ?? (await aFacility(db));
  const quote = await db
    .insertInto('quote')
    .values({
      ...(overrides.num === undefined ? {} : { num: overrides.num }),
      revision: overrides.revision ?? 1,
      status_id: overrides.statusId ?? 'Editing',
      facility_id: facility.id,
      facility_name: overrides.facilityName ?? facility.name,
      facility_acct_no: overrides.facilityAcctNo ?? facility.acctNo,
      contact_name: overrides.contactName ?? 'Pat Buyer',
      contact_email: 'buyer@example.org',
      phone: overrides.phone ?? '312-555-0100',
      owner_id: overrides.ownerId ?? salesRepId ?? (await aUser(db)).id,
      sales_rep_id: salesRepId,
      cs_rep_id: overrides.csRepId ?? null,
      is_rep_id: overrides.isRepId ?? null,
      region_id: overrides.regionId ?? null,
      territory_id: overrides.territoryId ?? null,
      quote_date: overrides.quoteDate ?? '2026-11-02',
      valid_until: overrides.validUntil ?? '2027-01-01',
      total_amount: overrides.totalAmount ?? 100,
      ...(overrides.currnIdx === undefined ? {} : { currn_idx: overrides.currnIdx }),
    })
    .returning(['id', 'num'])
    .executeTakeFirstOrThrow();
  for (const [index, itemNumber] of (overrides.itemNumbers ?? []).entries()) {
    await db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: index + 1,
        item_number: itemNumber,
        description: itemNumber,
        qty: 1,
        unit: 'EA',
      })
      .execute();
  }
  return { ...quote, salesRepId };
}

/** A pending approval request; `roles` lists the role that each fired rule asks for. */
export async function anApprovalRequest(
  db: Db,
  overrides: {
    quoteId: number;
    requestedBy: number;
    roles: Role[];
    state?: 'Pending' | 'Approved';
    requestedAt?: string;
  },
): Promise<{ id: number }> {
  return db
    .insertInto('approval_request')
    .values({
      quote_id: overrides.quoteId,
      revision: 1,
      state: overrides.state ?? 'Pending',
      requested_by: overrides.requestedBy,
      ...(overrides.requestedAt ? { requested_at: overrides.requestedAt } : {}),
      content_hash: 'x',
      rules: JSON.stringify(
        overrides.roles.map((role, index) => ({
          ruleId: index + 1,
          name: 'Discount above the limit',
          metric: 'discountPct',
          figure: 18,
          limit: 15,
          role,
          lines: [],
          text: 'Discount 18% > 15%',
        })),
      ),
      figures: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** A quote with priced lines and their totals: by default one line, 2 × $10.00, that needs no approval. */
export async function aPricedQuote(
  db: Db,
  input: Parameters<typeof aQuote>[1] & {
    assigneeId?: number;
    lines?: { itemNumber?: string; qty?: number; systemPrice?: number; unitPrice?: number; optional?: boolean }[];
  } = {},
): Promise<{ id: number; num: number; salesRepId: number | null }> {
  const quote = await aQuote(db, input);
  let [list, total] = [0, 0];
  for (const [index, line] of (input.lines ?? [{}]).entries()) {
    const { qty = 2, systemPrice = 10, optional = false } = line;
    const unitPrice = line.unitPrice ?? systemPrice;
    const number = line.itemNumber ?? `LN-${quote.id}-${index + 1}`;
    await db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: index + 1,
        type: 'custom',
        item_number: number,
        description: `Line ${number}`,
        qty,
        unit: 'EA',
        optional,
        list_price: systemPrice,
        system_price: systemPrice,
        unit_price: unitPrice,
        discount_pct: percentBelow(unitPrice, systemPrice),
        line_total: extend(unitPrice, qty),
        price_source: unitPrice === systemPrice ? 'List' : 'Manual',
      })
      .execute();
    if (optional) continue;
    list = add(list, extend(systemPrice, qty));
    total = add(total, extend(unitPrice, qty));
  }
  await db
    .updateTable('quote')
    .set({
      list_total: list,
      subtotal: total,
      total_amount: total,
      savings: subtract(list, total),
      assignee_id: input.assigneeId ?? null,
    })
    .where('id', '=', quote.id)
    .execute();
  return quote;
}

type Saved = { id?: number | undefined; version?: number | undefined };

/**
 * Completes a save of a line, or of a quote and its lines, with the stored versions where it names none, like a screen that has just read them.
 */
export async function asJustRead<T extends object>(db: Db, input: T): Promise<T> {
  const versionOf = async (table: 'quote' | 'quote_item', { id, version }: Saved) =>
    version === undefined && id
      ? await db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirst()
      : undefined;
  const { quote, items }: { quote?: Saved; items?: Saved[] } = input;
  return {
    ...input,
    ...(quote ? { quote: { ...quote, ...(await versionOf('quote', quote)) } } : await versionOf('quote_item', input)),
    ...(items
      ? { items: await Promise.all(items.map(async (item) => ({ ...item, ...(await versionOf('quote_item', item)) }))) }
      : {}),
  };
}
