import { Type } from '@sinclair/typebox'
import { defineChoice } from '../../shape.ts'
import {
  areSameAddress,
  type ChainContext,
  normalizeAddress,
  writeAccountId,
  writeChain,
} from '../../wallet/account.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { AccountId, Caip2, defineClosed, describeText, Skill, WalletAddress } from '../shapes.ts'
import { defineVerifier, fails, holds } from '../verifier.ts'
import { requireOpenable } from '../web-address.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const capabilities = [
  'wallet',
  'signing',
  'spending',
  'publishing',
  'search',
  'browser',
  'mcp',
  'webhooks',
  'receipts',
  'proofs',
  'delegation',
] as const

/**
 * `agent-identity`: an AI agent, bot or service describes itself, signed by its own wallet (ERC-8004 compatible).
 * Grants no authority: that is agent-delegation.
 */
export const agentIdentity = defineVerifier({
  id: 'agent-identity',
  category: 'agent',
  description: 'An agent, bot or service describes itself; its own wallet signs.',
  words,
  translations: { de: german },
  flow: 'instant',
  expiry: 'permanent',
  status: 'agent_identity_attested',
  allowsDelegatedSubject: false,
  compatibleWith: [
    'agent-delegation',
    'ai-content-moderation',
    'ownership-dns-txt',
    'contract-ownership',
    'wallet-link',
  ],
  signer: { wallet: 'agentWallet', chainRef: 'agentChainRef', accountId: 'agentAccountId' },
  accounts: { paths: ['agentWallet'], isBeyondEvm: true },
  data: defineClosed({
    agentId: Type.String({ minLength: 1, maxLength: 128 }),
    agentWallet: WalletAddress,
    agentChainRef: Type.Optional(Caip2),
    agentAccountId: Type.Optional(AccountId),
    agentLabel: Type.Optional(describeText(128)),
    agentType: Type.Optional(defineChoice(['ai', 'bot', 'service', 'automation', 'agent'])),
    avatar: Type.Optional(describeText(512)),
    description: Type.Optional(describeText(500)),
    capabilities: Type.Optional(
      defineClosed(Object.fromEntries(capabilities.map((name) => [name, Type.Optional(Type.Boolean())]))),
    ),
    instructions: Type.Optional(describeText(16_000)),
    skills: Type.Optional(Type.Array(Skill, { maxItems: 48 })),
    services: Type.Optional(
      Type.Array(
        defineClosed({
          name: Type.String({ minLength: 1, maxLength: 64 }),
          endpoint: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s]+$', maxLength: 256 }),
          version: Type.Optional(describeText(32)),
        }),
        { maxItems: 16 },
      ),
    ),
    defaultRuntime: Type.Optional(
      defineClosed({
        provider: Type.Optional(describeText(64)),
        model: Type.Optional(describeText(128)),
        mode: Type.Optional(describeText(64)),
      }),
    ),
  }),

  examine({ subject, data, context }) {
    requireOpenable('agent-identity', '/avatar', data.avatar)
    for (const [at, { endpoint }] of (data.services ?? []).entries())
      requireOpenable('agent-identity', `/services/${at}/endpoint`, endpoint)
    if (!areSameAddress(data.agentWallet, subject))
      return fails(
        'AGENT_WALLET_MISMATCH',
        `data.agentWallet is ${data.agentWallet}, but ${subject} signed: the agent's own wallet must sign`,
      )
    const { agentAccountId } = readAccount(data, context)
    if (data.agentAccountId !== undefined && !isSameAccountId(data.agentAccountId, agentAccountId))
      return fails(
        'ACCOUNT_ID_MISMATCH',
        `data.agentAccountId is ${data.agentAccountId}, but wallet and chain give ${agentAccountId}`,
      )
    return undefined
  },

  verify(claim) {
    const { data, context } = claim
    const { agentChainRef, agentAccountId } = readAccount(data, context)
    requireSameChainSigner(claim, data.agentWallet, agentChainRef, 'agent-identity')
    return holds({ ...data, agentWallet: normalizeAddress(data.agentWallet), agentChainRef, agentAccountId })
  },

  parameters: {
    agentId: sharedParameters.agentId,
    agentWallet: sharedParameters.agentWallet,
  },
  facts: ['agentId', 'agentWallet'],

  writeScope: ({ agentId, agentWallet }) => `${agentId} ${agentWallet}`,
})

/** Clients often leave the chain out; the signing context says it. */
function readAccount(
  { agentWallet, ...named }: { readonly agentWallet: string; readonly agentChainRef?: string },
  context: ChainContext,
) {
  const agentChainRef = named.agentChainRef ?? writeChain(context)
  return { agentChainRef, agentAccountId: writeAccountId(agentChainRef, agentWallet) }
}

/** CAIP-10 ids of EVM accounts differ in case only. */
export function isSameAccountId(a: string, b: string): boolean {
  const [left, right] = [a.split(':'), b.split(':')]
  return left[0] === right[0] && left[1] === right[1] && areSameAddress(left[2] ?? '', right[2] ?? '')
}
