// Makes pictures of the demo company's products from our own drawings in `drawings`, so that we ship no third-party pictures.
import fs from 'node:fs';
import path from 'node:path';

/** The drawings of one family, one file per variant. The element with the id 'turns' is rotated from view to view. */
type Drawing = { words: RegExp; files: string[]; turn?: { steps: number; by: number; from: number } };

/** The first entry whose words are in the family's name applies. */
const DRAWINGS: Drawing[] = [
  { words: /glove/, files: ['gloves', 'glove'] },
  { words: /gauze/, files: ['gauze'] },
  { words: /dressing/, files: ['dressing'], turn: { steps: 5, by: 7, from: -14 } },
  { words: /mattress|overlay/, files: ['mattress'] },
  { words: /exam table/, files: ['couch'] },
  { words: /table/, files: ['table'] },
  { words: /\bbed\b/, files: ['bed', 'bed-with-rail'] },
  { words: /chair/, files: ['wheelchair', 'transport-chair'] },
  { words: /walker/, files: ['rollator'] },
  { words: /mask/, files: ['mask'] },
  { words: /nebulizer/, files: ['nebulizer'] },
  { words: /primary iv/, files: ['bag'] },
  { words: /syringe|iv catheter/, files: ['syringe'], turn: { steps: 5, by: 12, from: -45 } },
  { words: /cannula|catheter|extension/, files: ['tubing', 'tubing-with-clamp'] },
  { words: /scissors/, files: ['scissors'], turn: { steps: 4, by: 15, from: -20 } },
  { words: /holder|hemostat|retractor/, files: ['clamp'], turn: { steps: 5, by: 12, from: -24 } },
  { words: /strep/, files: ['cassette'] },
  { words: /strip/, files: ['strips'] },
  { words: /stethoscope/, files: ['stethoscope'] },
  { words: /brief|underwear/, files: ['brief'] },
  { words: /underpad/, files: ['pad'] },
  { words: /monitor/, files: ['monitor'] },
  { words: /sensor/, files: ['sensor'] },
  { words: /electrode/, files: ['electrode'] },
  { words: /cuff/, files: ['cuff'] },
  { words: /stapler/, files: ['stapler'] },
  { words: /cart/, files: ['cart'] },
  { words: /pole/, files: ['pole'] },
  // All other items get a packet of sutures.
  { words: /(?:)/, files: ['packet'], turn: { steps: 5, by: 8, from: -14 } },
];

/** The width and height in pixels, like a small photograph. */
const SIDE = 1000;
const GROUND =
  '<rect width="200" height="200" fill="#f6f7f9"/><ellipse cx="100" cy="172" rx="74" ry="9" fill="#dfe4e8"/>';

/**
 * An SVG of a product in the color of its class, transparent, or with `photo` on a light background with a shadow. `turn` selects one of several
 * views or variants.
 */
export function drawingOf(familyName: string, tint: string, turn: number, photo: boolean): string {
  const { files = [], turn: turned } = DRAWINGS.find(({ words }) => words.test(familyName.toLowerCase())) ?? {};
  const file = path.join(import.meta.dirname, 'drawings', `${files[turn % files.length]}.svg`);
  const degrees = turned ? (turn % turned.steps) * turned.by + turned.from : 0;
  return fs
    .readFileSync(file, 'utf8')
    .replace(/<svg [^>]*>/, (root) =>
      root.replace('>', ` width="${SIDE}" height="${SIDE}" color="${tint}">${photo ? GROUND : ''}`),
    )
    .replace('id="turns"', `transform="rotate(${degrees} 100 100)"`);
}
