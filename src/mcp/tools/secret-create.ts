import { Type } from '@sinclair/typebox'
import { aliasPattern, contentMaxBytes, createSecret } from '../../secrets/secret.ts'
import { secretTypes } from '../../secrets/secret-type.ts'
import { defineChoice } from '../../shape.ts'
import { defineClosed } from '../../verifiers/shapes.ts'
import { showAccount } from '../../wallet/account.ts'
import { defineTool } from '../tool.ts'
import { ContractOn, requireOwn, WalletArgument } from '../wallets.ts'

export const secretCreate = defineTool({
  name: 'secret_create',
  title: 'Keep a secret',
  description:
    'Seals a secret of the person, such as an API key, in their vault under an alias. The content cannot be read back with any tool, and is never in an answer: afterwards refer to it by its alias. Ask the person before you store anything, and do not repeat the content in the conversation.',
  input: defineClosed({
    alias: Type.String({
      pattern: aliasPattern,
      description: 'Its name: a letter, then letters, digits and underscores, at most 64. For example OPENAI_API_KEY.',
    }),
    secretType: Type.Optional(
      defineChoice(secretTypes, 'single (default): one text. bundle: a JSON object whose values are texts.'),
    ),
    content: Type.String({
      minLength: 1,
      maxLength: contentMaxBytes,
      description: `At most ${contentMaxBytes} bytes.`,
    }),
    walletAddress: WalletArgument('Wallet of the person in whose vault it stands; their primary one by default.'),
  }),
  output: Type.Object({
    success: Type.Literal(true),
    alias: Type.String(),
    qHash: Type.String({ description: 'Its id in the vault.' }),
    proofId: Type.String({ description: 'The same.' }),
    secretType: Type.String(),
    walletAddress: Type.String(),
    contractOn: ContractOn,
    createdAt: Type.Integer({ description: 'Unix milliseconds.' }),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  needs: ['secrets'],

  async run({ alias, secretType = 'single', content, walletAddress }, { parts, identity }) {
    const account = await requireOwn(identity, walletAddress, 'walletAddress', parts)
    const { qHash, createdAt } = await createSecret(parts, identity, {
      alias,
      type: secretType,
      content,
      account,
    })
    return { success: true as const, alias, qHash, proofId: qHash, secretType, ...showAccount(account), createdAt }
  },
})
