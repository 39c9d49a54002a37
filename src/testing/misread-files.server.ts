// Small files that are made to be misread, with what must be stored, or the question or reason that must stop them.
import type ExcelJS from 'exceljs';
import type { ImportOptions } from '#platform/data-import/running/import-file.server.ts';

/** A cell of a workbook: its value and its number format. */
export type Cell = string | number | boolean | Date | { v: string | number | boolean | Date; as: string };
export type Book = { cells: Cell[][]; change?: (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook) => void };
export type Case = {
  name: string;
  kind: string;
  /** Text, or a workbook. {1} is an item in EA, BX of 50 and CS of 500 at 1.00 per EA, {2} one in EA alone without a price, {F} an account. */
  file: string | Book;
  options?: ImportOptions;
  /** What the import says instead of reading the file. */
  asks?: string;
  /** The refused cells, the held rows and a note, each by a part of its text. */
  refused?: string[];
  held?: string[];
  note?: string;
  /** What is stored afterwards: list prices, units, accounts or items, by kind. */
  stored?: string[];
};

export const HEADINGS: Case[] = [
  { name: 'UoM is the unit', kind: 'prices', file: 'Item,Price,UoM\n{1},30.00,BX\n', stored: ['{1} BX 30'] },
  { name: 'U/M is the unit', kind: 'prices', file: 'Item,Price,U/M\n{1},30.00,BX\n', stored: ['{1} BX 30'] },
  {
    name: 'Selling Unit of Measure Code may be the unit',
    kind: 'prices',
    file: 'Item,Price,Selling Unit Code\n{1},30.00,BX\n',
    asks: "'Selling Unit Code' may be the unit",
  },
  {
    name: 'a currency above the headings',
    kind: 'prices',
    file: 'Price list 2027\nPrices in EUR\nItem,Price\n{2},5.00\n',
    asks: "line 2, 'Prices in EUR', may be the currency of all rows",
  },
  {
    name: 'a currency above the headings, chosen for all rows',
    kind: 'prices',
    file: 'Price list 2027\nPrices in EUR\nItem,Price\n{2},5.00\n',
    options: { headerLine: 3, answers: ['currency=EUR'] },
    note: "Above the headings, and not read: line 2, 'Prices in EUR', may be the currency of all rows.",
    stored: ['{2} EA 5 EUR'],
  },
  {
    name: 'a first day above the headings',
    kind: 'prices',
    file: 'Effective 01/01/2090,,\nItem,Price,Cur\n{2},5.00,USD\n',
    options: { map: ['Cur=currn_idx'] },
    asks: "line 1, 'Effective 01/01/2090', may be the day from which or to which all rows count",
  },
  {
    name: 'a first day above the headings, and in a column',
    kind: 'prices',
    file: 'Effective 01/01/2020\nItem,List Px,Eff Dt\n{2},5.00,01/01/2020\n',
    stored: ['{2} EA 5'],
  },
  {
    name: 'the day of printing above the headings',
    kind: 'prices',
    file: 'Printed 01/01/2026 by Sales\nItem,Price\n{2},5.00\n',
    stored: ['{2} EA 5'],
  },
  {
    name: 'a currency and a first day in one line above the headings',
    kind: 'prices',
    file: 'Prices in EUR from Jan 1, 2090 per case\nItem,Price,UOM\n{1},5.00,CS\n',
    asks: 'may be the currency of all rows, and the day from which or to which all rows count. Put it',
  },
  {
    name: 'dollars above the prices of accounts, which may be in euros',
    kind: 'account-prices',
    file: 'All prices in US dollars\nAccount,Item,Price\n{F},{1},5.00\n',
    asks: "line 1, 'All prices in US dollars', may be the currency of all rows",
  },
  {
    name: 'dollars above list prices, which are in dollars anyway',
    kind: 'prices',
    file: 'All prices in US dollars\nItem,Price\n{2},5.00\n',
    stored: ['{2} EA 5'],
  },
  {
    name: 'a unit above the headings',
    kind: 'contract-prices',
    file: 'All prices per case\nContract,Item,Price\nC,{1},5.00\n',
    asks: "line 1, 'All prices per case', may be the unit of all prices",
  },
  {
    name: 'a discount above the headings',
    kind: 'account-prices',
    file: 'All prices less 10 %\nAccount,Item,Price\n{F},{1},5.00\n',
    asks: "line 1, 'All prices less 10 %', may be a discount or surcharge on all prices",
  },
  {
    name: 'prices of quantities beside a price',
    kind: 'prices',
    file: 'Item,Price,10-49,50+\n{2},5.00,4.50,4.00\n',
    asks: "'10-49' may be the price of a quantity, '50+' may be the price of a quantity",
  },
  {
    name: 'prices of tiers beside a price',
    kind: 'contract-prices',
    file: 'Contract,Item,UOM,Price,Tier Two,Lvl 9\nC,{1},BX,5.00,4.50,4.00\n',
    asks: "'Tier Two' may be a tier or its price, 'Lvl 9' may be a tier or its price",
  },
  { name: 'Unit Charge is the price', kind: 'prices', file: 'List ID,Unit Charge\n{2},7.00\n', stored: ['{2} EA 7'] },
  {
    name: 'Per 100 beside the price',
    kind: 'prices',
    file: 'Item,Price,Per 100\n{2},150.00,Y\n',
    asks: "'Per 100' may be how many the price is for",
  },
  {
    name: 'Price per 100 read as the price',
    kind: 'prices',
    file: 'Item,Price per 100\n{2},150.00\n',
    options: { map: ['Price per 100=price'] },
    refused: ['is the price of 100 by its heading'],
    stored: [],
  },
  {
    name: 'New Price beside Price',
    kind: 'prices',
    file: 'Item,Price,New Price\n{2},5.00,6.00\n',
    asks: "'New Price' may be a price",
  },
  {
    name: 'New Price chosen as the price, and Price not used',
    kind: 'prices',
    file: 'Item,Price,New Price\n{2},5.00,6.00\n',
    options: { map: ['New Price=price', 'Price='] },
    stored: ['{2} EA 6'],
  },
  {
    name: 'two columns called Price',
    kind: 'prices',
    file: 'Item,Price,Price\n{2},5.00,6.00\n',
    asks: "'Price' may be a price",
  },
  {
    name: 'the second of two columns called Price',
    kind: 'prices',
    file: 'Item,Price,Price\n{2},5.00,6.00\n',
    options: { map: ['#3=price', '#2='] },
    stored: ['{2} EA 6'],
  },
  {
    name: 'a pack size that is not that of the unit',
    kind: 'prices',
    file: 'Item,Price,UOM,Pack Size\n{1},60.00,BX,100\n',
    refused: ['may be BX, which holds 50 EA here, or 100 EA'],
    stored: [],
  },
  {
    name: 'a pack size in words',
    kind: 'prices',
    file: 'Item,Price,UOM,Pack Size\n{1},60.00,BX,50 EA\n',
    refused: ['is not the number that the unit holds: write it alone, or say that the column is not used'],
    stored: [],
  },
  {
    name: 'a pack size that is that of the unit',
    kind: 'prices',
    file: 'Item,Price,UOM,Pack Size\n{1},60.00,BX,50\n',
    stored: ['{1} BX 60'],
  },
  {
    name: 'a pack size without a unit',
    kind: 'prices',
    file: 'Item,Price,Pack Size\n{1},60.00,50\n',
    refused: ['may be EA, which holds 1 EA here, or 50 EA'],
    stored: [],
  },
  {
    name: 'values without a heading',
    kind: 'prices',
    file: 'Item,Price,\n{1},30.00,BX\n',
    asks: 'column 3 may be anything, because it has no heading',
  },
  {
    name: 'Inactive',
    kind: 'facilities',
    file: 'Account,Name,Inactive\n{A},North,Yes\n{B},South,No\n',
    asks: "'Inactive' may be whether it is active",
  },
  {
    name: 'Inactive read as active: Yes means no',
    kind: 'facilities',
    file: 'Account,Name,Inactive\n{A},North,Yes\n{B},South,No\n',
    options: { map: ['Inactive=active'] },
    stored: ['{A} | inactive | taxable |  | ', '{B} | active | taxable |  | '],
  },
  {
    name: 'Address beside Ship To',
    kind: 'facilities',
    file: 'Account,Name,Address,Ship To Address\n{A},North,1 Bill St,2 Ship St\n',
    asks: "'Address' may be an address",
  },
  {
    name: 'Address chosen as the bill-to address',
    kind: 'facilities',
    file: 'Account,Name,Address,Ship To Address\n{A},North,1 Bill St,2 Ship St\n',
    options: { map: ['Address=bill_to_line1'] },
    stored: ['{A} | active | taxable | 2 Ship St | 1 Bill St'],
  },
  {
    name: 'Taxable read as tax exempt: Yes means no',
    kind: 'facilities',
    file: 'Account,Name,Taxable\n{A},North,Yes\n{B},South,No\n',
    options: { map: ['Taxable=tax_exempt'] },
    stored: ['{A} | active | taxable |  | ', '{B} | active | exempt |  | '],
  },
  {
    name: 'Discontinued read as the status',
    kind: 'items',
    file: 'Item,Desc,Discontinued\n{N},Glove,Yes\n{N}2,Mask,N\n',
    options: { map: ['Discontinued=status'] },
    stored: ['{N} | EA | Discontinued | ', '{N}2 | EA | Active | '],
  },
  {
    name: 'Status of a roster',
    kind: 'rosters',
    file: 'Contract,Member ID,Facility Name,Tier,Status\nX-1,1,North,1,Terminated\n',
    asks: "'Status' may be whether it is active",
  },
  {
    name: 'Pack of a contract',
    kind: 'contract-prices',
    file: 'Contract,Item,UOM,Tier,Price,Per\nX-1,{1},BX,1,5.00,100\n',
    asks: "'Per' may be how many the price is for",
  },
];

export const NOTATIONS: Case[] = [
  {
    name: 'a table below the first one, with other headings',
    kind: 'prices',
    file: 'Item,UOM,Price\n{1},BX,50\n\nItem,UOM,Dealer Price\n{2},EA,4\nItem,UOM,Price\n{2},EA,5\n',
    refused: ['Has different headings from line 1', 'Is below the headings in line 4'],
    stored: ['{1} BX 50', '{2} EA 5'],
  },
  {
    name: 'the refused rows of such a file',
    kind: 'prices',
    file: 'Item,UOM,Price,Line,Why refused\nItem,UOM,Dealer Price,4,Has different headings\n{2},EA,4,5,Is below 4\n',
    refused: ['Has different headings from line 1', 'Is below the headings in line 2'],
    stored: [],
  },
  {
    name: 'a table below the first one, with better headings',
    kind: 'prices',
    file: 'Item,Price\n{2},5\n\nItem,UOM,Price\n{1},BX,50\n',
    refused: ['Has different headings from line 1', 'Is below the headings in line 4'],
    stored: ['{2} EA 5'],
  },
  {
    name: 'the headings of a program below those of people',
    kind: 'prices',
    file: 'Item No.,U/M,List Price\nITEM_ID,UOM,PRICE\n{2},EA,5\n',
    stored: ['{2} EA 5'],
  },
  {
    name: 'the price of a case by its heading, beside another unit',
    kind: 'prices',
    file: 'Item,UOM,Case Price\n{1},EA,1\n{1},CS,500\n',
    options: { map: ['Case Price=price'] },
    refused: ['is the price per CS by its heading, but the row is in EA'],
    stored: ['{1} CS 500'],
  },
  {
    name: 'the price of a case by its heading, without a unit',
    kind: 'prices',
    file: 'Item,Price per Case\n{1},500\n',
    options: { map: ['Price per Case=price'] },
    note: 'Corrected: 1 unit taken from the heading of its price.',
    stored: ['{1} CS 500'],
  },
  {
    name: 'numbers as formulas of text',
    kind: 'facilities',
    file: 'Account,Name\n"=""{A}""",North\n',
    stored: ['{A} | active | taxable |  | '],
  },
  {
    name: 'ranges of quantities',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},5,1-9\n{2},4,10 - 49\n{2},3,50+\n',
    note: 'Corrected: 3 ranges of quantities read from their lower end.',
    stored: ['{2} EA 5', '{2} EA 4 from 10', '{2} EA 3 from 50'],
  },
  {
    name: 'the euro sign is the currency',
    kind: 'prices',
    file: 'Item,Price\n{2},€12.50\n',
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'EUR after the amount is the currency',
    kind: 'prices',
    file: 'Item,Price\n{2},12.50 EUR\n',
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'a currency in the cell against the column of currencies',
    kind: 'prices',
    file: 'Item,Price,Currency\n{2},€12.50,USD\n',
    refused: ['is in EUR, but Currency says USD'],
    stored: [],
  },
  {
    name: 'a currency in the heading',
    kind: 'prices',
    file: 'Item,Price (EUR)\n{2},12.50\n',
    options: { map: ['Price (EUR)=price'] },
    stored: ['{2} EA 12.5 EUR'],
  },
  {
    name: 'a currency that is not quoted here',
    kind: 'prices',
    file: 'Item,Price\n{2},£12.50\n',
    refused: ['is not an amount'],
    stored: [],
  },
  {
    name: 'a cost in euros',
    kind: 'costs',
    file: 'Item,Cost\n{2},€12.50\n',
    refused: ['is in EUR: costs are kept in USD'],
  },
  {
    name: 'an amount of money as a quantity',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},5,$12.50\n',
    refused: ['is an amount of money'],
    stored: [],
  },
  {
    name: 'days with the day first',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From\n{2},5,1,13/02/2026\n{2},4,10,05/02/2026\n',
    note: "Valid From is read as dd/mm/yyyy, because of '13/02/2026' (line 2).",
    stored: ['{2} EA 5 from 2026-02-13', '{2} EA 4 from 10 from 2026-02-05'],
  },
  {
    name: 'days in two notations',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From\n{2},5,1,13/02/2026\n{2},4,10,05/02/2026\n{2},3,100,02/14/2026\n',
    refused: ['may have its day or its month first'],
    stored: ['{2} EA 5 from 2026-02-13', '{2} EA 3 from 100 from 2026-02-14'],
  },
  {
    name: 'days that only another column shows to have the day first',
    kind: 'prices',
    file: 'Item,Price,Valid From,Valid To\n{2},5,01/02/2026,31/01/2028\n',
    note: "Valid From is read as dd/mm/yyyy, because Valid To has '31/01/2028' (line 2).",
    stored: ['{2} EA 5 from 2026-02-01'],
  },
  {
    name: 'days of which other columns show both notations',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From,Valid To\n{2},5,1,01/02/2026,31/01/2028\n{2},5,10,01/02/2026,12/31/2027\n',
    refused: ['2 Valid From: ', '3 Valid From: '],
    note: "Valid To has days in two notations: '31/01/2028' (line 2) and '12/31/2027' (line 3).",
    stored: [],
  },
  {
    name: 'one day with the day first in a file of days with the month first',
    kind: 'prices',
    file: 'Item,Price,Min Qty,Valid From,Valid To\n{2},5,1,01/02/2026,12/31/2027\n{2},4,10,13/01/2026,12/31/2027\n',
    refused: ['2 Valid From: '],
    note: "The file has days in two notations: Valid From has '13/01/2026' (line 3), Valid To has '12/31/2027' (line 2).",
    stored: ['{2} EA 4 from 10 from 2026-01-13'],
  },
  {
    name: 'one amount with a decimal comma among others with a point',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},"70,50",1\n{2},60.25,10\n{2},50.10,100\n',
    refused: ["'70,50' is written with a decimal comma"],
    stored: ['{2} EA 60.25 from 10', '{2} EA 50.1 from 100'],
  },
  {
    name: 'thousands with a point beside prices with a decimal comma',
    kind: 'prices',
    file: 'Item;Price;Min Qty\n{2};5,20;1\n{2};4;1.000\n{2};3;500\n',
    refused: [
      "Price: '5,20' is written with a decimal comma",
      "Min Qty: '1.000' can be read in two ways, because '5,20'",
    ],
    stored: ['{2} EA 3 from 500'],
  },
  {
    name: 'a file of amounts with decimal commas',
    kind: 'prices',
    file: 'Item;Price;Min Qty\n{2};1.070,50;1\n{2};60,25;10\n',
    options: { answers: ['decimals=comma'] },
    stored: ['{2} EA 1070.5', '{2} EA 60.25 from 10'],
  },
  {
    name: 'swapped columns',
    kind: 'prices',
    file: 'Item,Price\n12.50,{2}\n',
    refused: ["Price: '{2}' is "],
    stored: [],
  },
  {
    name: 'a row of totals',
    kind: 'prices',
    file: 'Item,Price\n{2},5\nTotal,5\n,5\n',
    refused: ["'Total' is the name of a row of totals", 'is empty'],
    stored: ['{2} EA 5'],
  },
  {
    name: 'two prices of one item',
    kind: 'prices',
    file: 'Item,Price\n{2},5\n{2},6\n',
    refused: ['is in line 2 already with other values'],
    stored: ['{2} EA 5'],
  },
];

export const MONEY: Case[] = [
  { name: 'a price of 0', kind: 'prices', file: 'Item,Price\n{2},0\n', held: ['no price → $0.00 per EA'], stored: [] },
  {
    name: 'a price that rounds to 0',
    kind: 'prices',
    file: 'Item,Price\n{2},0.00004\n',
    held: ['no price → $0.00 per EA'],
    stored: [],
  },
  {
    name: 'the price of a box as that of a piece',
    kind: 'prices',
    file: 'Item,Price\n{1},50.00\n',
    held: ['$1.00 per EA → $50.00 per EA (50.00 times). About 50 times: is it the price of a BX?'],
    stored: [],
  },
  {
    name: 'the price of a piece as that of a box',
    kind: 'prices',
    file: 'Item,Price,UOM\n{1},1.00,BX\n',
    held: ['$50.00 per BX → $1.00 per BX (1/50). About 1/50: is it the price of one EA?'],
    stored: [],
  },
  {
    name: 'three times as much passes',
    kind: 'prices',
    file: 'Item,Price\n{1},3.00\n',
    held: [],
    stored: ['{1} EA 3'],
  },
  {
    name: 'a change above the chosen limit',
    kind: 'prices',
    file: 'Item,Price\n{1},2.00\n',
    options: { answers: ['times=1.5'] },
    held: ['$1.00 per EA → $2.00 per EA'],
    stored: [],
  },
  {
    name: 'an account price far above the list price',
    kind: 'account-prices',
    file: 'Account,Item,Price\n{F},{1},50.00\n',
    held: ['$1.00 per EA → $50.00 per EA'],
    stored: [],
  },
  {
    name: 'a larger quantity that is dearer',
    kind: 'prices',
    file: 'Item,Price,Min Qty\n{2},5,1\n{2},6,100\n',
    note: '1 price is higher from a larger quantity: {2} at 6.00 from 100 (5.00 from 1).',
    stored: ['{2} EA 5', '{2} EA 6 from 100'],
  },
  {
    name: "'100/bx' of an item without boxes",
    kind: 'prices',
    file: 'Item,Price,UOM\n{2},6.67,100/bx\n',
    refused: ["'100/bx' is BX, which is no unit of this item"],
    stored: [],
  },
  {
    name: "'100/bx' confirmed as the box of 100",
    kind: 'prices',
    file: 'Item,Price,UOM\n{2},6.67,100/bx\n',
    options: { answers: ['packs=make'] },
    note: '1 unit is made: {2} BX of 100.',
    stored: ['{2} BX 6.67'],
  },
  {
    name: 'two sizes of the box that is made',
    kind: 'prices',
    file: 'Item,Price,UOM,Min Qty\n{2},6.67,100/bx,1\n{2},6.00,50/bx,10\n',
    options: { answers: ['packs=make'] },
    refused: ['says 100 EA, line 3 says 50', 'says 50 EA, line 2 says 100'],
    stored: [],
  },
  {
    name: "'100/bx' against a box of 50",
    kind: 'prices',
    file: 'Item,Price,UOM\n{1},60,100/bx\n',
    options: { answers: ['packs=make'] },
    refused: ['may be BX, which holds 50 EA here, or 100 EA'],
    stored: [],
  },
];
