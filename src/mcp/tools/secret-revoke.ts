import { Type } from '@sinclair/typebox'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { revokeOwnSecret } from '../../secrets/secret.ts'
import { closed } from '../../verifiers/shapes.ts'
import { defineTool } from '../tool.ts'

export const secretRevoke = defineTool({
  name: 'secret_revoke',
  title: 'Erase a secret',
  description:
    'Erases a secret of the person for good: what it sealed is gone, and its alias is free again. Whatever uses it stops working, so ask the person first. {brand}_secret_list tells the qHash.',
  input: closed({ qHash: Type.String({ pattern: qHashPattern, description: 'Id of the secret.' }) }),
  output: Type.Object({
    success: Type.Literal(true),
    qHash: Type.String(),
    alias: Type.String(),
    revokedAt: Type.Integer({ description: 'Unix milliseconds.' }),
    alreadyRevoked: Type.Boolean(),
    message: Type.String(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needs: ['secrets'],

  async run({ qHash }, { parts, identity }) {
    const { secret, alreadyRevoked } = await revokeOwnSecret(parts, identity, qHash)
    return {
      success: true as const,
      qHash: secret.qHash,
      alias: secret.alias,
      revokedAt: secret.revokedAt ?? parts.now(),
      alreadyRevoked,
      message: alreadyRevoked ? 'It was revoked before.' : 'Erased. Its alias may be used again.',
    }
  },
})
