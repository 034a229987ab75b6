/** The view of the source of delegated authority. */
import { Type } from '@sinclair/typebox'
import { sourceKinds } from '../auth/identity.ts'
import { defineChoice } from '../shape.ts'

export const sourceWords = [...sourceKinds, 'unknown'] as const

export const SourceView = Type.Object(
  {
    kind: defineChoice(
      sourceWords,
      'signature or session: by the wallet itself. unknown: made before sources were recorded; no key, app or link ends it.',
    ),
    id: Type.Union([Type.String(), Type.Null()], {
      description:
        'The keyId of an access key, the handle of an OAuth grant, or the qHash of a wallet link; null for the others.',
    }),
    ended: Type.Union([Type.String(), Type.Null()], {
      description:
        'access_key_revoked, oauth_grant_revoked or wallet_unlinked, where that revoked this proof; else null.',
    }),
  },
  { description: 'To its owner, of agent-delegation and agent-identity: by what right it was made.' },
)
