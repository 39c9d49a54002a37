// The words of the demo company's catalog: classes, families, sizes, and units.
import type { Random } from './random.server.ts';

type Family = {
  name: string;
  base: 'EA' | 'PR' | 'BX';
  units: Record<string, number>;
  price: [number, number];
  brand: string;
};
type ClassOfItems = { name: string; prefix: string; color: string; families: Family[]; variants: string[][] };

const each = { EA: 1 };
const box50 = { EA: 1, BX: 50, CS: 500 };
const box100 = { EA: 1, BX: 100, CS: 1000 };
const box10 = { EA: 1, BX: 10, CS: 100 };
const family = (name: string, units: Record<string, number>, price: [number, number], brand: string): Family => ({
  name,
  base: 'EA',
  units,
  price,
  brand,
});

const SIZES = ['XS', 'S', 'M', 'L', 'XL'];
const DRESSINGS = ['2 x 2 in', '4 x 4 in', '4 x 8 in', '6 x 6 in', '8 x 10 in'];
const GAUGES = ['14 Ga', '16 Ga', '18 Ga', '20 Ga', '22 Ga', '24 Ga'];

export const CLASSES: ClassOfItems[] = [
  {
    name: 'Exam gloves',
    prefix: '55',
    color: '#3b82c4',
    families: [
      family('Exam glove nitrile', box100, [0.06, 0.14], 'Softgrip'),
      family('Exam glove vinyl', box100, [0.04, 0.08], 'Softgrip'),
      family('Exam glove latex, powder free', box100, [0.05, 0.11], 'Softgrip'),
      family('Surgical glove sterile', { EA: 1, BX: 50, CS: 200 }, [0.9, 2.4], 'Sterigard'),
    ],
    variants: [SIZES, ['blue', 'black', 'white', 'long cuff']],
  },
  {
    name: 'Wound care',
    prefix: '27',
    color: '#c2703d',
    families: [
      family('Foam dressing, bordered', box10, [2.1, 14], 'Dermapad'),
      family('Alginate dressing', box10, [3.2, 11], 'Dermapad'),
      family('Hydrocolloid dressing', box10, [1.9, 9], 'Dermapad'),
      family('Gauze sponge, 12-ply, sterile', { EA: 1, BX: 25, CS: 600 }, [0.09, 0.4], 'Purewrap'),
      family('Silver dressing, antimicrobial', box10, [6, 28.32], 'Argentis'),
    ],
    variants: [DRESSINGS, ['standard', 'extra thin', 'heel', 'sacral']],
  },
  {
    name: 'Beds & surfaces',
    prefix: '88',
    color: '#5d7f4e',
    families: [
      family('Low air loss mattress', each, [2900, 6900], 'Restwell'),
      family('Med-surg bed, electric', each, [7800, 14_900], 'Restwell'),
      family('Bariatric bed', each, [9900, 21_500], 'Restwell'),
      family('Foam overlay', each, [85, 320], 'Restwell'),
    ],
    variants: [
      ['36 in', '42 in', '48 in'],
      ['with scale', 'without scale', 'with rails', 'rental ready'],
    ],
  },
  {
    name: 'Wheelchairs & mobility',
    prefix: '61',
    color: '#7d5ba6',
    families: [
      family('Transport chair', each, [140, 420], 'Steadway'),
      family('Manual wheelchair', each, [280, 1190], 'Steadway'),
      family('Power wheelchair', each, [3900, 9800], 'Steadway'),
      family('Rollator walker', each, [75, 240], 'Steadway'),
    ],
    variants: [
      ['16 in', '18 in', '20 in', '22 in', '24 in'],
      ['desk arm', 'full arm', 'elevating legs', 'swing-away legs'],
    ],
  },
  {
    name: 'Respiratory',
    prefix: '33',
    color: '#2f9e98',
    families: [
      family('Oxygen mask, adult', { EA: 1, CS: 50 }, [1.1, 3.9], 'Airlane'),
      family('Nasal cannula', { EA: 1, CS: 50 }, [0.6, 1.9], 'Airlane'),
      family('Suction catheter', { EA: 1, CS: 50 }, [0.5, 2.2], 'Airlane'),
      family('Nebulizer kit', { EA: 1, CS: 50 }, [1.6, 6.4], 'Airlane'),
    ],
    variants: [
      ['7 ft tubing', '14 ft tubing', '25 ft tubing'],
      ['pediatric', 'adult', 'high concentration', 'latex free'],
    ],
  },
  {
    name: 'IV & infusion',
    prefix: '42',
    color: '#4773b8',
    families: [
      family('IV catheter, safety', box50, [1.2, 3.4], 'Veinline'),
      family('Extension set', box50, [1.8, 5.2], 'Veinline'),
      family('Primary IV set', box50, [2.2, 7.8], 'Veinline'),
      family('Saline flush syringe', box100, [0.35, 0.9], 'Veinline'),
    ],
    variants: [GAUGES, ['0.75 in', '1 in', '1.25 in', 'needle free']],
  },
  {
    name: 'Surgical instruments',
    prefix: '70',
    color: '#6b7785',
    families: [
      family('Mayo scissors', each, [24, 140], 'Forgeline'),
      family('Needle holder', each, [38, 260], 'Forgeline'),
      family('Hemostat, curved', each, [18, 96], 'Forgeline'),
      family('Retractor, self-retaining', each, [120, 880], 'Forgeline'),
    ],
    variants: [
      ['4.5 in', '5.5 in', '6.5 in', '7 in', '9 in'],
      ['straight', 'curved', 'carbide', 'single use sterile'],
    ],
  },
  {
    name: 'Diagnostics',
    prefix: '19',
    color: '#b0526c',
    families: [
      family('Blood glucose test strip', box50, [0.3, 0.95], 'Clearread'),
      family('Urinalysis strip', box100, [0.2, 0.6], 'Clearread'),
      family('Rapid strep test', { EA: 1, BX: 25 }, [1.8, 4.9], 'Clearread'),
      family('Stethoscope', each, [22, 260], 'Clearread'),
    ],
    variants: [
      ['10 parameter', '11 parameter', 'dual head', 'cardiology'],
      ['standard', 'no code', 'CLIA waived', 'teaching'],
    ],
  },
  {
    name: 'Incontinence care',
    prefix: '58',
    color: '#88805a',
    families: [
      family('Adult brief', { EA: 1, BG: 20, CS: 80 }, [0.35, 1.1], 'Dryday'),
      family('Underpad', { EA: 1, BG: 25, CS: 150 }, [0.12, 0.7], 'Dryday'),
      family('Protective underwear', { EA: 1, BG: 18, CS: 72 }, [0.4, 1.3], 'Dryday'),
    ],
    variants: [SIZES, ['light', 'moderate', 'heavy', 'overnight']],
  },
  {
    name: 'Patient monitoring',
    prefix: '90',
    color: '#2f5f8a',
    families: [
      family('Vital signs monitor', each, [1450, 4900], 'Watchpoint'),
      family('Pulse oximeter sensor', { EA: 1, BX: 24 }, [7, 22], 'Watchpoint'),
      family('ECG electrode', { EA: 1, BG: 50, CS: 1000 }, [0.07, 0.3], 'Watchpoint'),
      family('Blood pressure cuff', { EA: 1, BX: 5 }, [9, 48], 'Watchpoint'),
    ],
    variants: [
      ['neonatal', 'pediatric', 'small adult', 'adult', 'large adult'],
      ['disposable', 'reusable', 'wired', 'wireless'],
    ],
  },
  {
    name: 'Sutures & closure',
    prefix: '74',
    color: '#9b4f4f',
    families: [
      family('Absorbable suture', { EA: 1, BX: 12, CS: 144 }, [3.1, 9.8], 'Holdfast'),
      family('Nylon suture', { EA: 1, BX: 12, CS: 144 }, [2.4, 7.5], 'Holdfast'),
      family('Skin stapler', { EA: 1, BX: 6 }, [9, 34], 'Holdfast'),
    ],
    variants: [
      ['2-0', '3-0', '4-0', '5-0', '6-0'],
      ['18 in', '27 in', '30 in', '36 in'],
    ],
  },
  {
    name: 'Carts & furniture',
    prefix: '81',
    color: '#4f6b5a',
    families: [
      family('Medication cart', each, [980, 3900], 'Roomline'),
      family('Overbed table', each, [160, 540], 'Roomline'),
      family('Exam table', each, [890, 4200], 'Roomline'),
      family('IV pole', each, [68, 290], 'Roomline'),
    ],
    variants: [
      ['4 drawer', '6 drawer', '9 drawer', 'without drawers'],
      ['gray', 'white', 'oak', 'blue'],
    ],
  },
];

export type DemoItem = {
  number: string;
  description: string;
  classIndex: number;
  familyName: string;
  brand: string;
  units: Record<string, number>;
  /** The list price of one base unit, with four decimals. */
  listPrice: number;
  rank: number;
  fresh: boolean;
};

/** Generates `count` items spread over the classes. The same seed generates the same items. */
export function* demoItems(count: number, random: Random): Generator<DemoItem> {
  for (let n = 0; n < count; n++) {
    const classIndex = n % CLASSES.length;
    const group = CLASSES[classIndex];
    if (!group) continue;
    const turn = Math.floor(n / CLASSES.length);
    const kind = group.families[turn % group.families.length];
    if (!kind) continue;
    const first = group.variants[0]?.[Math.floor(turn / group.families.length) % group.variants[0].length] ?? '';
    const second = group.variants[1]?.[Math.floor(turn / group.families.length / 5) % group.variants[1].length] ?? '';
    const [low, high] = kind.price;
    const price = low + (high - low) * random.next();
    yield {
      number: `${group.prefix}${String(1000 + turn)}`,
      description: `${kind.name}, ${first}, ${second}`,
      classIndex,
      familyName: kind.name,
      brand: kind.brand,
      units: kind.units,
      listPrice: price < 10 ? Math.round(price * 10_000) / 10_000 : Math.round(price * 100) / 100,
      rank: Math.round(random.next() * 10) / 2,
      fresh: random.chance(0.04),
    };
  }
}
