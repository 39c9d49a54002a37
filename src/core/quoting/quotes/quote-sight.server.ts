// Registers with the platform who can see a quote and how its number is written.
import { setQuoteSight } from '#platform/kit/quote-sight.server.ts';
import { inSight, seesQuote } from './sight.server.ts';
import { quoteNumber } from './status.ts';

setQuoteSight({ inSight, seesQuote, quoteNumber });
