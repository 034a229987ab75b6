import { Type } from '@sinclair/typebox'
import { qHashPattern } from '../../envelope/q-hash.ts'
import { buildTracesView, TracesView } from '../../http/traces-view.ts'
import { revokeOwnSecret } from '../../secrets/secret.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { defineTool } from '../tool.ts'

const tracesLeft =
  ' Its sealed text may still stand in the files of the database. The server clears them by itself as soon as it can.'

export const secretRevoke = defineTool({
  name: 'secret_revoke',
  title: 'Erase a secret',
  description:
    'Erases a secret of the person for good, and its alias is free again; `traces` says whether the files of the database may hold what it sealed still. Whatever uses it stops working, so ask the person first. {brand}_secret_list tells the qHash.',
  input: defineClosed({ qHash: Type.String({ pattern: qHashPattern, description: 'Id of the secret.' }) }),
  output: Type.Object({
    success: Type.Literal(true),
    qHash: Type.String(),
    alias: Type.String(),
    revokedAt: Type.Integer({ description: 'Unix milliseconds.' }),
    alreadyRevoked: Type.Boolean(),
    traces: TracesView,
    message: Type.String(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needs: ['secrets'],

  async run({ qHash }, { parts, identity }) {
    const { secret, alreadyRevoked, traces } = await revokeOwnSecret(parts, identity, qHash)
    return {
      success: true as const,
      qHash: secret.qHash,
      alias: secret.alias,
      revokedAt: secret.revokedAt ?? parts.now(),
      alreadyRevoked,
      traces: buildTracesView(traces),
      message: `${alreadyRevoked ? 'It was revoked before.' : 'Erased. Its alias may be used again.'}${traces ? tracesLeft : ''}`,
    }
  },
})
