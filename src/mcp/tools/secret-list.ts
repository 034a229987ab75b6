import { Type } from '@sinclair/typebox'
import { readSecretPage } from '../../secrets/secret.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { parseAccount, showAccount } from '../../wallet/account.ts'
import { defineTool, looksOnly } from '../tool.ts'
import { ContractOn } from '../wallets.ts'

const defaultLimit = 50

export const secretList = defineTool({
  name: 'secret_list',
  title: 'Which secrets there are',
  description:
    'Lists the secrets of the person by alias, the newest first. Tells what kind each is and when it was stored, never its content. Use it to find the qHash that {brand}_secret_revoke needs.',
  input: defineClosed({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: `How many, ${defaultLimit} by default.` }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: 'How many to leave out first.' })),
  }),
  output: Type.Object({
    success: Type.Literal(true),
    items: Type.Array(
      Type.Object({
        alias: Type.String(),
        qHash: Type.String(),
        type: Type.String({ description: 'single or bundle.' }),
        walletAddress: Type.String(),
        contractOn: ContractOn,
        createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
      }),
    ),
    pagination: Type.Object({
      limit: Type.Integer(),
      offset: Type.Integer(),
      totalCount: Type.Integer(),
      hasMore: Type.Boolean(),
      nextOffset: Type.Union([Type.Integer(), Type.Null()]),
    }),
  }),
  annotations: looksOnly,
  needs: ['secrets'],

  async run({ limit = defaultLimit, offset = 0 }, { parts, identity }) {
    const { secrets, totalCount } = await readSecretPage(parts, identity, { limit, offset })
    const next = offset + secrets.length
    const hasMore = secrets.length > 0 && next < totalCount
    return {
      success: true as const,
      items: secrets.map(({ alias, qHash, type, account, createdAt }) => ({
        alias,
        qHash,
        type,
        ...showAccount(parseAccount(account)),
        createdAt,
      })),
      pagination: { limit, offset, totalCount, hasMore, nextOffset: hasMore ? next : null },
    }
  },
})
