/** How it is told what would end with a key, an app or a link. */
import { Type } from '@sinclair/typebox'

export const EndsWithView = Type.Object(
  {
    delegations: Type.Integer({ description: 'Delegations to agents.' }),
    agents: Type.Integer({ description: 'Agents that were set up.' }),
    accessGrants: Type.Integer({ description: 'Wallets that were let read a private proof, for each proof.' }),
  },
  { description: 'What it made that still stands, and that is revoked together with it.' },
)
