// The least SQL that does the job of each call of the main job. What a call takes beside it, and beside an empty call, is the program's own work.
import type pg from 'pg';
import { spread } from './scenarios.ts';
import { KEYWORDS, NAME_PARTS, type Scale } from './volume.ts';

export type Statement = { text: string; values: unknown[] };

/** Copies of a quote and its lines, with only their keys: no other index, no trigger. Each run creates them again. */
const TABLES = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.quote (like quote including identity, primary key (id));
  create table bare.quote_item (like quote_item including identity, primary key (id),
    foreign key (quote_id) references bare.quote);
  create index quote_item_quote on bare.quote_item (quote_id, line_no);
  insert into bare.quote overriding system value select * from quote where id <= 5000;
  insert into bare.quote_item overriding system value select * from quote_item where quote_id <= 5000;
  select setval(pg_get_serial_sequence('bare.quote', 'id'), 1000000);
  select setval(pg_get_serial_sequence('bare.quote_item', 'id'), 100000000);
  analyze bare.quote, bare.quote_item`;

const ITEM_ROW =
  'id, item_number, description, class_id, product_id, base_unit, status, last_sold, selling_rank, manufacturer';
const LIST_ROW = 'id, num, revision, status_id, facility_name, quote_date, valid_until, total_amount, currn_idx';

const openOf = (id: number): Statement[] => [
  { text: 'select * from quote where id = $1', values: [id] },
  { text: 'select * from quote_item where quote_id = $1 order by line_no', values: [id] },
];

/** By the beginning of a scenario's name: the statements of its `n`th call. */
export async function bareCalls(
  client: pg.Client,
  { items, quotes, long }: Scale,
): Promise<[name: string, (n: number) => Statement[]][]> {
  await client.query(TABLES);
  const columnsOf = async (table: string, except: string[]) => {
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all ($2)`,
      [table, ['id', ...except]],
    );
    return rows.map(({ name }) => name).join(', ');
  };
  const ofQuote = await columnsOf('quote', []);
  const ofLine = await columnsOf('quote_item', ['quote_id', 'item_id']);
  const spreadOver = (n: number) => spread(n, Math.min(quotes, 5000));
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const sample = `(select * from bare.quote_item where quote_id = 1 order by line_no limit 1)`;
  return [
    [
      'item search',
      (n) => [
        {
          text: `select ${ITEM_ROW} from item where status = 'Active' and search_text like $1 order by selling_rank_num desc, id limit 20`,
          values: [`%${KEYWORDS[n % KEYWORDS.length]}%`],
        },
      ],
    ],
    [
      'quote list',
      (n) => {
        const result = `from quote where status_id = 'SentToCustomer' and plain_text(facility_name) like $1 and quote_date between $2 and $3`;
        const values = [`%${NAME_PARTS[n % NAME_PARTS.length]}%`, day(365 + (n % 300)), day(n % 30)];
        return [
          { text: `select ${LIST_ROW} ${result} order by quote_date desc, id desc limit 20`, values },
          { text: `select count(*) from (select ${result} limit 1001) one`, values },
        ];
      },
    ],
    ['open a quote of 5 lines', (n) => openOf(spreadOver(n))],
    ['open a quote of 500 lines', (n) => openOf(quotes + 1 + (n % long))],
    [
      'new quote with 10 priced lines',
      (n) => [
        {
          text: `with made as (insert into bare.quote (${ofQuote}) select ${ofQuote} from bare.quote where id = $1 returning id),
            line as (insert into bare.quote_item (quote_id, item_id, ${ofLine})
              select made.id, item.id, ${ofLine} from made, ${sample} line, unnest($2::int[]) item (id) returning id)
            select made.id, count(*) from made, line group by 1`,
          values: [spreadOver(n), Array.from({ length: 10 }, (_, line) => spread(n * 10 + line, items))],
        },
      ],
    ],
    [
      'one line added to a quote of 5',
      (n) => [
        {
          text: `with line as (insert into bare.quote_item (quote_id, item_id, ${ofLine}) select $1, $2, ${ofLine} from ${sample} line returning id)
            update bare.quote set total_amount = total_amount + 1, version = version + 1 from line where quote.id = $1 returning line.id`,
          values: [spreadOver(n), spread(n, items)],
        },
      ],
    ],
  ];
}
