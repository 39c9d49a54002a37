// Files of customers, contracts, territories and items that are made to be misread (misread-files.server.ts has those of prices).
import type { Case } from './misread-files.server.ts';

/** ZIPs of four states stand for the list of all. */
export const SOME_ZIPS = [
  ['60601', 'IL'],
  ['00601', 'PR'],
  ['02115', 'MA'],
  ['06060', 'CT'],
] as const;

export const CUSTOMERS: Case[] = [
  {
    name: 'numbers at the end of headings',
    kind: 'facilities',
    file: 'CustNo,CustName,Address1,Addr2\n{A},North,1 Main St,Suite 4\n',
    stored: ['{A} | active | taxable | 1 Main St | 1 Main St'],
  },
  {
    name: 'ZIPs that lost their end, not their beginning',
    kind: 'facilities',
    file: 'Account,Name,State,Zip\n{A},North,IL,606\n{B},South,IL,6060\n{C},West,,606\n{D},San Juan,PR,601\n{E},Boston,MA,2115\n',
    refused: [
      "'606' does not lie in IL as 00606",
      "'6060' does not lie in IL as 06060",
      "'606' may be 00606 or the beginning",
    ],
    stored: ['{D} | active | taxable |  | ', '{E} | active | taxable |  | '],
  },
  {
    name: 'a ZIP of another state',
    kind: 'facilities',
    file: 'Account,Name,State,Zip\n{A},North,MA,60601\n',
    note: '1 ZIP code lies in another state than its row says: {A} has 60601 in MA.',
    stored: ['{A} | active | taxable |  | '],
  },
  {
    name: 'a short ZIP in a list of ZIPs',
    kind: 'zips',
    file: 'Zip,City,State\n606,Chicago,IL\n607,Chicago,\n',
    refused: ["'606' does not lie in IL as 00606", "'607' may be 00607 or the beginning"],
  },
  {
    name: 'postal codes of other countries',
    kind: 'facilities',
    file: 'Account,Name,Zip,Country\n{A},Wien,1010,AT\n{B},Munich,80331,Germany\n{C},North,60601,USA\n{D},Oslo,,Norway\n',
    refused: [
      "'1010' is no ZIP code of the USA: the row is in AT",
      "'80331' is no ZIP code of the USA: the row is in Germany",
    ],
    stored: ['{C} | active | taxable |  | ', '{D} | active | taxable |  | '],
  },
  {
    name: 'rows of totals',
    kind: 'facilities',
    file: 'Account,Name\n{A},North\nTotal,1\nGrand Total: 1,x\nSubtotal,2\n{A}-TOTAL,Total Care\n',
    refused: ["'Total' is the name of a row of totals", "'Grand Total: 1' is", "'Subtotal' is"],
    stored: ['{A} | active | taxable |  | ', '{A}-TOTAL | active | taxable |  | '],
  },
  {
    name: 'codes of a status',
    kind: 'facilities',
    file: 'Account,Name,Status\n{A},North,A\n{B},South,I\n{C},East,H\n',
    refused: ["'H' is neither yes nor no"],
    stored: ['{A} | active | taxable |  | ', '{B} | inactive | taxable |  | '],
  },
  {
    name: 'another name under a known number',
    kind: 'facilities',
    file: 'Account,Name\n{F},Oakwood Dialysis\n',
    note: '1 facility gets a name that is not like its own: {F} Facility',
  },
  {
    name: 'the second line of a name',
    kind: 'facilities',
    file: 'Account,Name 1,Name 2\n{A},Mercy,North Campus\n',
    asks: "'Name 2' may be more of the name",
  },
  {
    name: 'names read as account numbers',
    kind: 'facilities',
    file: 'Customer,Name\nMercy,Ann Ray\n',
    note: '1 new account number has no digit, so it may be a name: Mercy (Ann Ray).',
  },
  {
    name: 'accounts that are alike',
    kind: 'facilities',
    file: 'Account,Name\n{A},North\n{a},South\n',
    note: '1 new account differs from another one of the file only by zeros, dashes, spaces or capitals: {a} beside {A}. Is it the same account?',
    stored: ['{A} | active | taxable |  | ', '{a} | active | taxable |  | '],
  },
  {
    name: 'contracts that are alike',
    kind: 'contracts',
    file: 'Contract #,Title,Start,End\n{K}-1,Gloves,1/1/2026,12/31/2028\n{K}1,Masks,1/1/2026,12/31/2028\n',
    note: '1 new contract differs from another one of the file only by zeros, dashes, spaces or capitals: {K}1 beside {K}-1. Is it the same contract?',
  },
  {
    name: 'contacts of one customer',
    kind: 'contacts',
    file: 'Customer: North Hospital\nContact Name,Email\nAnn Ray,ann@example.org\n',
    refused: ['is empty: write the account number, or say which customer the file is for'],
  },
  {
    name: 'one answer for a file that names its customers',
    kind: 'contacts',
    file: 'Facility Name,Contact Name,Email\nNorth,Ann Ray,ann@example.org\n',
    options: { answers: ['account={F}'] },
    asks: "'Facility Name' may be the customer",
  },
  {
    name: "a customer's own numbers, without the customer",
    kind: 'item-numbers',
    file: 'Item,Customer Item\n{1},H-1\n',
    refused: ['is empty: write the account number, or say which customer the file is for'],
  },
  {
    name: 'primary and secondary GPOs',
    kind: 'memberships',
    file: 'Account,GPO,Primary\n{F},Nobody,Secondary\n{F},Nobody,Third\n',
    refused: ["GPO: 'Nobody' is not a known GPO", "'Third' is neither yes nor no"],
  },
];

export const CHANGES: Case[] = [
  {
    name: 'a column that takes rows away',
    kind: 'prices',
    file: 'Item,Price,Action\n{2},5,Delete\n',
    asks: "'Action' may be an instruction to change or delete the row",
  },
  {
    name: 'a letter that takes rows away',
    kind: 'contract-prices',
    file: 'Contract,Item,UOM,Tier,Price,A/C/D\nC,{1},BX,1,5,D\n',
    asks: "'A/C/D' may be an instruction to change or delete the row",
  },
  {
    name: 'credits among sales',
    kind: 'sales',
    file: 'Item,Invoice Date,Qty,Doc Type\n{1},1/5/2026,100,INV\n{1},1/7/2026,100,CM\n',
    asks: "'Doc Type' may be an instruction to change or delete the row",
  },
  {
    name: 'reversals among movements',
    kind: 'sales',
    file: 'Item,Posting Date,Qty,Mvt Type\n{1},1/5/2026,100,601\n{1},1/7/2026,100,602\n',
    asks: "'Mvt Type' may be an instruction to change or delete the row",
  },
  {
    name: 'a deletion flag and a block of an ERP',
    kind: 'facilities',
    file: 'Customer,Name 1,Del.flag,Order block\n{A},North,X,01\n',
    asks: "'Del.flag' may be an instruction to change or delete the row, 'Order block' may be whether it is active",
  },
  {
    name: 'an increase beside the price',
    kind: 'prices',
    file: 'Item,Price,Increase\n{2},5,3%\n',
    asks: "'Increase' may be a price",
  },
  {
    name: 'both sides of a conversion',
    kind: 'units',
    file: 'Item,Alt UOM,Numerator,Denominator\n{1},PL,2400,24\n',
    asks: "'Numerator' may be a pack size, 'Denominator' may be a pack size",
  },
  {
    name: 'a word that takes a row away, far below',
    kind: 'prices',
    file: 'Item,Price,Comment\n{1},1.1,a\n{1},1.1,b\n{1},1.1,c\n{1},1.1,d\n{1},1.1,e\n{2},5,Discontinued\n',
    refused: ["'Discontinued' may take the row out"],
  },
  {
    name: 'a word that takes rows away, in any column',
    kind: 'prices',
    file: 'Item,Price,Comment\n{2},5,DISCONTINUED\n{1},1.1,\n',
    asks: "'Comment' may be an instruction to change or delete the row",
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
    name: 'the second line of a description',
    kind: 'items',
    file: 'Item,Description,Description 2\n{N},Glove,Large\n',
    asks: "'Description 2' may be more of the description",
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
  {
    name: 'prices of a hundred and in thousands, by their headings',
    kind: 'prices',
    file: 'Item,Price/C,Price ($000)\n{2},500,\n{1},,5\n',
    options: { map: ['Price/C=price', 'Price ($000)='] },
    refused: ["'500' is the price of 100 by its heading", 'gives no price'],
  },
  {
    name: 'a price in cents',
    kind: 'prices',
    file: 'Item,Price (cents)\n{2},500\n',
    options: { map: ['Price (cents)=price'] },
    refused: ["'500' is in cents by its heading"],
    stored: [],
  },
  {
    name: 'items that are alike',
    kind: 'items',
    file: 'Item,Description\n{N},Glove\n{n},Mask\n',
    note: '1 new item differs from another one of the file only by zeros, dashes, spaces or capitals: {n} beside {N}. Is it the same item?',
  },
  {
    name: 'titles between items, in two columns',
    kind: 'items',
    file: 'Item,Description,UOM,Cost\n{N},Glove,BX,5\nGLOVES,Exam and surgical,,\nCARE-A,Care kit,KT,\n',
    refused: ["'GLOVES' may be a title between the rows"],
    stored: ['{N} | BX | Active | '],
  },
  {
    name: 'a row of totals among items',
    kind: 'items',
    file: 'Item,Description,Cost\n{N},Glove,5\nTotal,1 item,5\n',
    refused: ["'Total' is the name of a row of totals"],
    stored: ['{N} | EA | Active | '],
  },
  {
    name: 'a row of totals among territories',
    kind: 'territories',
    file: 'Territory,Region\nTotal,5\n',
    refused: ["'Total' is the name of a row of totals"],
  },
  {
    name: 'a sale in the future',
    kind: 'sales',
    file: 'Item,Last Sold,Qty\n{1},12/31/2090,5\n',
    refused: ["'12/31/2090' lies in the future"],
  },
  {
    name: 'account prices of one customer',
    kind: 'account-prices',
    file: 'Customer: North Hospital\nItem,Price\n{1},1.10\n',
    refused: ['is empty: write the account number, or say which customer the file is for'],
    stored: [],
  },
];
