/** [auth]: Signing in with a wallet. */
import { table, whole } from '../setting.ts'

export const auth = table({
  session_days: whole({
    description: 'How long a browser stays signed in.',
    consequence: 'Shorter asks for the wallet more often.',
    unit: 'days',
    default: 30,
    example: 7,
    minimum: 1,
    maximum: 365,
  }),
  keys_per_profile: whole({
    description: 'How many access keys a person may have that are not revoked.',
    consequence: 'More are refused with 409; revoking one makes room.',
    unit: 'keys',
    default: 50,
    example: 10,
    minimum: 1,
    maximum: 1000,
  }),
  audit_days: whole({
    description: 'How long it is kept who signed in, and which keys and grants were given and taken back.',
    consequence: 'Shorter forgets sooner what happened.',
    unit: 'days',
    default: 365,
    example: 90,
    minimum: 1,
    maximum: 3650,
  }),
})
