// Files of customers, contracts, territories and items that are made to be misread (misread-files.server.ts has those of prices).
import type { Case } from './misread-files.server.ts';

export const CUSTOMERS: Case[] = [
  {
    name: 'numbers at the end of headings',
    kind: 'facilities',
    file: 'CustNo,CustName,Address1,Addr2\n{A},North,1 Main St,Suite 4\n',
    stored: ['{A} | active | taxable | 1 Main St | 1 Main St'],
  },
];

export const CHANGES: Case[] = [
  {
    name: 'a column that takes rows away',
    kind: 'prices',
    file: 'Item,Price,Action\n{2},5,Delete\n',
    asks: "'Action' may be what becomes of the row",
  },
  {
    name: 'a letter that takes rows away',
    kind: 'contract-prices',
    file: 'Contract,Item,UOM,Tier,Price,A/C/D\nC,{1},BX,1,5,D\n',
    asks: "'A/C/D' may be what becomes of the row",
  },
  {
    name: 'credits among sales',
    kind: 'sales',
    file: 'Item,Invoice Date,Qty,Doc Type\n{1},1/5/2026,100,INV\n{1},1/7/2026,100,CM\n',
    asks: "'Doc Type' may be what becomes of the row",
  },
  {
    name: 'a word that takes rows away, in any column',
    kind: 'prices',
    file: 'Item,Price,Comment\n{2},5,DISCONTINUED\n{1},1.1,\n',
    asks: "'Comment' may be what becomes of the row",
  },
  {
    name: 'the territory to come beside that of now',
    kind: 'taz',
    file: 'Zip,Territory,New Territory\n60601,North,South\n',
    asks: "'New Territory' may be another territory",
  },
  {
    name: 'the number to come beside that of now',
    kind: 'items',
    file: 'Item,New Item Number,Description\n{1},{N},Glove\n',
    asks: "'New Item Number' may be another item number",
  },
  {
    name: 'the unit that a unit is counted in',
    kind: 'units',
    file: 'Item,UOM,Conversion,Of\n{1},PL,20,CS\n',
    asks: "'Of' may be a unit",
  },
  {
    name: 'prices with numbers in their headings',
    kind: 'prices',
    file: 'Item,Price,Price2\n{2},5,4\n',
    asks: "'Price2' may be a price",
  },
];
