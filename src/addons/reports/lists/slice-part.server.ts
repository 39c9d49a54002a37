// Finds the set of quotes that a slice identifies, in the report it belongs to.
import { invalid, forbidden } from '#platform/api/http-error.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { usePart } from '../contract-use/contract-use-slices.server.ts';
import { discountPart } from '../discount-margin/discount-margin-slices.server.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import type { Terms } from '../facts/selection.server.ts';
import { pipelinePart } from '../pipeline/pipeline-slices.server.ts';
import { pivotPart } from '../pivot/pivot-slices.server.ts';
import { wonLostPart } from '../won-lost/won-lost-slices.server.ts';
import { territoryPart } from '../territory-sales/territory-slices.server.ts';
import { speedPart } from '../speed/speed-slices.server.ts';
import { type Slice, sliceOf } from '../slices.ts';

/** The slice of a text, and its quotes. Throws 422 for a text that is not a slice, and 403 for figures that the reader may not know. */
export function partOf(text: string, terms: Terms): { slice: Slice; part: Part } {
  const slice = sliceOf(text);
  if (!slice) throw invalid([{ path: 'slice', message: 'This report figure does not exist.' }]);
  const part = partOfSlice(slice, terms);
  if (part.needsCost && !seesInternalFigures(terms.user)) throw forbidden();
  return { slice, part };
}

function partOfSlice(slice: Slice, terms: Terms): Part {
  switch (slice.kind) {
    case 'status':
    case 'age':
    case 'week':
    case 'bridge':
    case 'untouched':
    case 'expiring':
    case 'expired':
      return pipelinePart(slice, terms);
    case 'decided':
    case 'reason':
    case 'competitor':
    case 'gap':
      return wonLostPart(slice, terms);
    case 'waterfall':
    case 'rep':
    case 'class':
    case 'outliers':
    case 'leakage':
    case 'uncosted':
      return discountPart(slice, terms);
    case 'stay':
    case 'approval':
    case 'revisions':
    case 'waiting':
      return speedPart(slice, terms);
    case 'contract':
    case 'tier':
    case 'item':
      return usePart(slice, terms);
    case 'territory':
      return territoryPart(slice, terms);
    case 'pivot':
      return pivotPart(slice, terms);
  }
}
