// Pictures of the demo company's products, drawn here from simple shapes so that we ship nothing of anyone else's.

/** `tint`: the color of the class; `turn`: which of several views or variants. */
type Draw = (tint: string, turn: number) => string;

const INK = '#39434c';
const PALE = '#eef2f5';
const METAL = '#b9c2ca';

const box = (x: number, y: number, width: number, height: number, fill: string, radius = 3, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ${more}/>`;
const disc = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
const line = (path: string, color: string, width: number) =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const shape = (path: string, fill: string, more = '') => `<path d="${path}" fill="${fill}" ${more}/>`;
const turned = (degrees: number, inside: string) => `<g transform="rotate(${degrees} 100 100)">${inside}</g>`;

const HAND =
  'M78 150v-38l-12-16q-5-7 1-11 6-3 11 4l8 10V58q0-7 6-7t6 7v34h3V50q0-7 6-7t6 7v42h3V57q0-7 6-7t6 7v38h3V70q0-6 5-6t5 6v46q0 20-10 34z';

const gloves: Draw = (tint, turn) =>
  turn % 2 === 0
    ? box(30, 58, 140, 92, tint, 4) +
      box(30, 58, 140, 16, '#fff', 4, 'opacity="0.25"') +
      `<ellipse cx="100" cy="104" rx="38" ry="20" fill="#fff"/>` +
      shape('M80 108q8-34 14-6 4-36 10-2 6-30 10 2 8-14 6 8z', tint, 'opacity="0.7"') +
      box(40, 132, 54, 8, '#fff', 2)
    : turned(-8, shape(HAND, tint)) + line('M76 146h46', '#fff', 3);
const dressing: Draw = (tint, turn) =>
  turned((turn % 5) * 7 - 14, box(36, 36, 128, 128, '#f3dcc6', 18) + box(60, 60, 80, 80, tint, 8, 'opacity="0.75"')) +
  [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => disc(76 + (n % 3) * 24, 76 + Math.floor(n / 3) * 24, 3, '#fff')).join('');
const gauze: Draw = (tint) =>
  [3, 2, 1, 0]
    .map((n) => box(44 - n * 3, 74 + n * 16, 112 + n * 6, 20, n % 2 ? '#fff' : PALE, 3, `stroke="${METAL}"`))
    .join('') + box(40, 142, 120, 10, tint, 2);
const bed: Draw = (tint, turn) =>
  box(24, 96, 150, 22, PALE, 8, `stroke="${METAL}"`) +
  box(24, 82, 46, 18, '#fff', 8, `stroke="${METAL}"`) +
  box(16, 60, 8, 84, tint, 3) +
  box(172, 78, 8, 66, tint, 3) +
  box(24, 118, 150, 8, METAL) +
  (turn % 2 ? line('M84 96V70h56v26', METAL, 4) : '') +
  disc(34, 152, 8, INK) +
  disc(162, 152, 8, INK);
const mattress: Draw = (tint) =>
  shape('M20 108l42-34h122l-36 34z', tint) +
  shape('M20 108h128v28H20z', tint, 'opacity="0.8"') +
  shape('M148 108l36-34v26l-36 36z', tint, 'opacity="0.6"') +
  [0, 1, 2, 3, 4].map((n) => line(`M${44 + n * 24} 108l36-34`, '#fff', 2)).join('');
const chair: Draw = (tint, turn) =>
  line('M70 50v66h66l16 36', INK, 7) +
  line('M70 50H56', INK, 7) +
  box(72, 60, 14, 52, tint, 5) +
  box(72, 106, 62, 14, tint, 5) +
  disc(84, 142, turn % 2 ? 20 : 34, 'none', `stroke="${INK}" stroke-width="6"`) +
  disc(84, 142, 5, METAL) +
  disc(148, 164, 11, 'none', `stroke="${INK}" stroke-width="6"`);
const rollator: Draw = (tint) =>
  line('M62 44h18l22 62 10 52M102 106H68l-14 52M128 70l-20 36', INK, 7) +
  box(66, 98, 60, 12, tint, 5) +
  disc(54, 164, 12, 'none', `stroke="${INK}" stroke-width="6"`) +
  disc(116, 164, 12, 'none', `stroke="${INK}" stroke-width="6"`);
const mask: Draw = (tint) =>
  shape('M100 44c30 20 44 48 38 80-6 26-70 26-76 0-6-32 8-60 38-80z', tint, 'opacity="0.55"') +
  line('M64 96q-30-4-36 8M136 96q30-4 36 8', INK, 3) +
  box(88, 132, 24, 20, METAL, 5) +
  line('M100 152q-6 24 30 24', tint, 6);
const tubing: Draw = (tint, turn) =>
  line('M40 150c-20-60 40-110 80-84s20 84-24 76-34-56 2-58 56 30 62 62', tint, 7) +
  box(150, 142, 20, 12, INK, 3) +
  (turn % 2 ? box(30, 146, 20, 16, METAL, 3) : disc(40, 152, 9, METAL));
const nebulizer: Draw = (tint) =>
  box(80, 78, 40, 54, tint, 8, 'opacity="0.6"') +
  box(86, 56, 28, 22, METAL, 4) +
  line('M114 66h34M86 66H54', METAL, 14) +
  line('M100 132q0 34 44 34', tint, 5);
const syringe: Draw = (tint, turn) =>
  turned(
    (turn % 5) * 12 - 45,
    box(52, 86, 90, 28, PALE, 4, `stroke="${METAL}" stroke-width="2"`) +
      box(54, 88, 46, 24, tint, 3, 'opacity="0.55"') +
      box(24, 96, 30, 8, METAL, 2) +
      box(18, 84, 8, 32, INK, 3) +
      box(142, 94, 12, 12, METAL, 2) +
      line('M154 100h34', METAL, 3) +
      [0, 1, 2, 3, 4, 5].map((n) => line(`M${66 + n * 12} 88v8`, INK, 2)).join(''),
  );
const bag: Draw = (tint) =>
  shape('M70 40h60l8 90q-38 20-76 0z', tint, 'opacity="0.4"') +
  box(86, 66, 28, 40, '#fff', 3) +
  line('M100 140v20q0 20 30 14', METAL, 5) +
  box(94, 146, 12, 18, METAL, 4) +
  disc(100, 34, 6, 'none', `stroke="${INK}" stroke-width="4"`);
const scissors: Draw = (_tint, turn) =>
  turned(
    (turn % 4) * 15 - 20,
    line('M70 140L124 36M130 140L76 36', METAL, 9) +
      disc(62, 154, 15, 'none', `stroke="${METAL}" stroke-width="8"`) +
      disc(138, 154, 15, 'none', `stroke="${METAL}" stroke-width="8"`) +
      disc(100, 86, 5, INK),
  );
const clamp: Draw = (tint, turn) =>
  turned(
    (turn % 5) * 12 - 24,
    line('M84 30q4 40 14 60l34 62M112 30q-4 40-14 60L66 152', METAL, 8) +
      disc(60, 162, 13, 'none', `stroke="${METAL}" stroke-width="7"`) +
      disc(138, 162, 13, 'none', `stroke="${tint}" stroke-width="7"`),
  );
const strips: Draw = (tint) =>
  box(58, 60, 62, 100, '#fff', 8, `stroke="${METAL}" stroke-width="2"`) +
  box(58, 84, 62, 46, tint, 0) +
  box(54, 46, 70, 20, INK, 5) +
  [0, 1, 2]
    .map(
      (n) =>
        box(132, 70 + n * 24, 14, 74 - n * 10, PALE, 2, `stroke="${METAL}"`) + box(132, 74 + n * 24, 14, 10, tint, 1),
    )
    .join('');
const cassette: Draw = (tint) =>
  turned(
    -20,
    box(68, 34, 64, 132, '#fff', 12, `stroke="${METAL}" stroke-width="3"`) +
      box(88, 62, 24, 42, PALE, 4) +
      line('M90 74h20', tint, 4) +
      line('M90 88h20', tint, 3) +
      disc(100, 132, 9, PALE, `stroke="${METAL}"`),
  );
const stethoscope: Draw = (tint) =>
  line('M62 34q-8 66 34 70 42-4 34-70M96 104q0 60 36 56 30-4 26-34', tint, 8) +
  disc(158, 112, 18, METAL, `stroke="${INK}" stroke-width="4"`) +
  disc(62, 32, 6, INK) +
  disc(130, 32, 6, INK);
const brief: Draw = (tint) =>
  shape('M40 56h120l-4 34q-36 4-40 66H84q-4-62-40-66z', '#fff', `stroke="${METAL}" stroke-width="3"`) +
  box(36, 62, 26, 14, tint, 4) +
  box(138, 62, 26, 14, tint, 4) +
  line('M100 92v50', tint, 3);
const pad: Draw = (tint) =>
  turned(
    -10,
    box(34, 48, 132, 104, tint, 6, 'opacity="0.55"') +
      box(46, 60, 108, 80, '#fff', 4) +
      line('M46 86h108M46 112h108M82 60v80M118 60v80', PALE, 3),
  );
const monitor: Draw = (tint) =>
  box(30, 46, 140, 96, INK, 10) +
  box(40, 56, 96, 76, '#10202a', 4) +
  line('M44 84h18l8-18 10 34 8-16h44', '#58d68d', 3) +
  line('M44 114q12-14 24 0t24 0 24 0 16-6', '#5dade2', 3) +
  [0, 1, 2].map((n) => disc(152, 70 + n * 24, 8, n ? METAL : tint)).join('') +
  box(80, 142, 40, 16, METAL) +
  box(62, 156, 76, 8, METAL);
const sensor: Draw = (tint) =>
  shape('M48 84h70q22 0 22 18t-22 18H48q-8-18 0-36z', tint) +
  box(52, 98, 60, 8, '#fff', 4, 'opacity="0.6"') +
  line('M138 102q34 0 30 34t-50 22', INK, 5);
const electrode: Draw = (tint) =>
  disc(100, 100, 56, '#fff', `stroke="${METAL}" stroke-width="3"`) +
  disc(100, 100, 30, tint, 'opacity="0.5"') +
  disc(100, 100, 11, METAL, `stroke="${INK}" stroke-width="3"`);
const cuff: Draw = (tint) =>
  shape('M28 76q72-26 144 0v48q-72 26-144 0z', tint) +
  box(120, 78, 40, 40, '#fff', 4, 'opacity="0.3"') +
  line('M70 128q0 40 36 40M86 130q0 24 40 26', INK, 5);
const packet: Draw = (tint, turn) =>
  turned(
    (turn % 5) * 8 - 14,
    box(42, 48, 116, 104, '#fff', 4, `stroke="${METAL}" stroke-width="2"`) +
      box(42, 48, 116, 24, tint, 4) +
      line('M62 128q0-40 40-40t36 30', INK, 4) +
      line('M64 94h26M64 106h16', METAL, 5),
  );
const stapler: Draw = (tint) =>
  shape('M40 70h96l24 16-4 16H92l-10 58H56l6-62-22-8z', tint) +
  box(132, 78, 30, 10, METAL, 2) +
  line('M96 108q-4 22 10 30', INK, 5);
const cart: Draw = (tint) =>
  box(52, 50, 96, 100, PALE, 5, `stroke="${METAL}" stroke-width="2"`) +
  [0, 1, 2, 3]
    .map(
      (n) =>
        box(58, 58 + n * 22, 84, 18, n === 0 ? tint : '#fff', 3, `stroke="${METAL}"`) +
        box(92, 65 + n * 22, 16, 4, INK, 2),
    )
    .join('') +
  disc(64, 160, 8, INK) +
  disc(136, 160, 8, INK);
const table: Draw = (tint) =>
  box(34, 66, 132, 12, tint, 5) +
  line('M64 78v74M64 152h70M52 152h20', METAL, 8) +
  disc(54, 164, 6, INK) +
  disc(136, 164, 6, INK);
const couch: Draw = (tint) =>
  shape('M30 92l26-30h24l-14 30z', tint) +
  box(30, 90, 142, 18, tint, 7) +
  box(46, 108, 110, 44, PALE, 4, `stroke="${METAL}"`) +
  box(54, 116, 44, 28, '#fff', 3, `stroke="${METAL}"`) +
  box(104, 116, 44, 28, '#fff', 3, `stroke="${METAL}"`);
const pole: Draw = (tint) =>
  line('M100 40v112M76 46q24-16 48 0M100 152l-34 12M100 152l34 12M100 152v14', METAL, 6) +
  disc(66, 166, 7, INK) +
  disc(134, 166, 7, INK) +
  box(88, 90, 24, 32, tint, 4);

/** Keyed by words in the family's name; the first match applies. */
const DRAWINGS: [words: RegExp, draw: Draw][] = [
  [/glove/, gloves],
  [/gauze/, gauze],
  [/dressing/, dressing],
  [/mattress|overlay/, mattress],
  [/exam table/, couch],
  [/table/, table],
  [/\bbed\b/, bed],
  [/chair/, chair],
  [/walker/, rollator],
  [/mask/, mask],
  [/nebulizer/, nebulizer],
  [/primary iv/, bag],
  [/syringe|iv catheter/, syringe],
  [/cannula|catheter|extension/, tubing],
  [/scissors/, scissors],
  [/holder|hemostat|retractor/, clamp],
  [/strep/, cassette],
  [/strip/, strips],
  [/stethoscope/, stethoscope],
  [/brief|underwear/, brief],
  [/underpad/, pad],
  [/monitor/, monitor],
  [/sensor/, sensor],
  [/electrode/, electrode],
  [/cuff/, cuff],
  [/suture/, packet],
  [/stapler/, stapler],
  [/cart/, cart],
  [/pole/, pole],
];

/** An SVG of a product: on nothing, or with `photo` on a light ground with a shadow. */
export function drawingOf(familyName: string, tint: string, turn: number, photo: boolean): string {
  const name = familyName.toLowerCase();
  const draw = DRAWINGS.find(([words]) => words.test(name))?.[1] ?? packet;
  const ground = photo
    ? `<rect width="200" height="200" fill="#f6f7f9"/><ellipse cx="100" cy="172" rx="74" ry="9" fill="#dfe4e8"/>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 200 200">${ground}${draw(tint, turn)}</svg>`;
}

/** Pixels of each side, as of a small photograph. */
export const SIDE = 1000;
