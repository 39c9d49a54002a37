// What a password may be; apart from the contract, so that signing in loads no schemas.
import { z } from 'zod';

/** At least 12 characters; anything goes in them. */
export const NewPassword = z.string().min(12, 'At least 12 characters').max(200, 'At most 200 characters');
