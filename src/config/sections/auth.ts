/** [auth]: Signing in with a wallet. */
import { describeTable, describeWhole } from '../setting.ts'

export const auth = describeTable({
  session_days: describeWhole({
    description: 'How long a browser stays signed in.',
    consequence: 'Shorter asks for the wallet more often.',
    unit: 'days',
    default: 30,
    example: 7,
    minimum: 1,
    maximum: 365,
  }),
  keys_per_profile: describeWhole({
    description: 'How many access keys a person may have that are not revoked.',
    consequence: 'More are refused with 409; revoking one makes room.',
    unit: 'keys',
    default: 50,
    example: 10,
    minimum: 1,
    maximum: 1000,
  }),
  audit_days: describeWhole({
    description: 'How long it is kept who signed in, and which keys and grants were given and taken back.',
    consequence: 'Shorter forgets sooner what happened.',
    unit: 'days',
    default: 365,
    example: 90,
    minimum: 1,
    maximum: 3650,
  }),
})
