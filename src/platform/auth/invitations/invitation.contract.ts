// The calls of the page behind the link of an invitation: reading its user, and setting the password.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { NewPassword } from '../passwords/new-password.ts';

const Token = z.string().min(1).max(200);

export const Invitation = {
  GetInvitation: post(
    '/api/Account/GetInvitation',
    z.object({ token: Token }),
    z.object({ userName: z.string(), fullName: z.string() }),
    {
      access: 'anyone',
      rateLimit: 30,
      summary:
        'Who an invitation is for. 404 with the same message for unknown, used, replaced and expired invitations.',
    },
  ),
  AcceptInvitation: post(
    '/api/Account/AcceptInvitation',
    z.object({ token: Token, newPassword: NewPassword }),
    z.object({ userName: z.string() }),
    { access: 'anyone', rateLimit: 30, summary: 'Sets the password of an invited person. The link works once.' },
  ),
};
