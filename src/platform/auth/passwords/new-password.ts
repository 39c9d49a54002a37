// The rule for new passwords, separate from the contract so that the sign-in page loads no schemas.
import { z } from 'zod';

/** At least 12 characters of any kind. */
export const NewPassword = z.string().min(12, 'At least 12 characters').max(200, 'At most 200 characters');
