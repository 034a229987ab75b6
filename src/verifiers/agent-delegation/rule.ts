import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { defineChoice } from '../../shape.ts'
import {
  areSameAddress,
  type ChainContext,
  explainNoBareAddress,
  findAddressFault,
  guessChain,
  isEvmAddress,
  isValidAddress,
  looksLikeAddress,
  normalizeAddress,
  readNamespace,
  writeAccountId,
  writeChain,
} from '../../wallet/account.ts'
import { requireMilliseconds } from '../../wallet/unix-milliseconds.ts'
import { isSameAccountId } from '../agent-identity/rule.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { AccountId, Caip2, defineClosed, describeText, keepPresent, Skill, WalletAddress } from '../shapes.ts'
import { defineVerifier, type Evidence, fails, holds } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const describeWords = (maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems })

/** Evidence that only the owner sees: how the agent is run, and the lists of allowed and denied actions. */
const ownerOnly = ['model', 'provider', 'runtimePolicy', 'allowedActions', 'deniedActions', 'approvalPolicy'] as const

/**
 * `agent-delegation`: a controller gives an agent authority until `expiresAt`. The controller signs. The agent may
 * share the wallet of its controller. The delegation then limits the agent, and gives nobody else any right. `maxSpend`
 * is a cap per payment in base units of the token; this server does not track spending. Expiry is enforced whenever the
 * proof is read.
 */
export const agentDelegation = defineVerifier({
  id: 'agent-delegation',
  category: 'agent',
  description: 'A controller delegates authority to an agent, until a time it names; the controller signs.',
  words,
  translations: { de: german },
  flow: 'instant',
  expiry: 'expiring',
  status: 'agent_delegation_granted',
  allowsDelegatedSubject: false,
  compatibleWith: ['agent-identity', 'ownership-org-oauth', 'wallet-risk', 'wallet-link'],
  signer: { wallet: 'controllerWallet', chainRef: 'controllerChainRef', accountId: 'controllerAccountId' },
  accounts: { paths: ['agentWallet', 'controllerWallet'], isBeyondEvm: true },
  data: defineClosed({
    controllerWallet: WalletAddress,
    controllerChainRef: Type.Optional(Caip2),
    controllerAccountId: Type.Optional(AccountId),
    agentWallet: WalletAddress,
    agentChainRef: Type.Optional(Caip2),
    agentAccountId: Type.Optional(AccountId),
    agentId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    scope: Type.Optional(describeText(128)),
    permissions: Type.Optional(describeWords(32, 64)),
    maxSpend: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,78}$', description: 'Base units of the token, per payment.' }),
    ),
    allowedPaymentTypes: Type.Optional(describeWords(8, 32)),
    receiptDisclosure: Type.Optional(defineChoice(['none', 'summary', 'full'])),
    expiresAt: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, description: 'Unix milliseconds; 0: never.' }), Type.Null()]),
    ),
    instructions: Type.Optional(describeText(16_000)),
    skills: Type.Optional(Type.Array(Skill, { maxItems: 48 })),
    model: Type.Optional(describeText(128)),
    provider: Type.Optional(describeText(64)),
    runtimePolicy: Type.Optional(
      defineClosed({
        allowedProviders: Type.Optional(describeWords(8, 64)),
        allowedModelClasses: Type.Optional(describeWords(8, 128)),
        requiresHumanApproval: Type.Optional(Type.Boolean()),
        secretsExposedToReceipt: Type.Optional(Type.Boolean()),
      }),
    ),
    allowedActions: Type.Optional(describeWords(32, 128)),
    deniedActions: Type.Optional(describeWords(32, 128)),
    approvalPolicy: Type.Optional(
      defineClosed({
        humanApprovalRequiredForNewClaims: Type.Optional(Type.Boolean()),
        preApprovedContentOnly: Type.Optional(Type.Boolean()),
      }),
    ),
  }),

  examine({ subject, data, context }, { now, settings }) {
    if (!areSameAddress(data.controllerWallet, subject))
      return fails(
        'CONTROLLER_MISMATCH',
        `data.controllerWallet is ${data.controllerWallet}, but ${subject} signed: the controller must sign`,
      )
    requireAgentAddress(data, context)
    const { controllerAccountId, agentAccountId } = readAccounts(data, context, settings.hubChainId)
    if (data.controllerAccountId !== undefined && !isSameAccountId(data.controllerAccountId, controllerAccountId))
      return fails(
        'ACCOUNT_ID_MISMATCH',
        `data.controllerAccountId is ${data.controllerAccountId}, but wallet and chain give ${controllerAccountId}`,
      )
    if (data.agentAccountId !== undefined && !isSameAccountId(data.agentAccountId, agentAccountId))
      return fails(
        'ACCOUNT_ID_MISMATCH',
        `data.agentAccountId is ${data.agentAccountId}, but wallet and chain give ${agentAccountId}`,
      )
    if (!data.expiresAt) return undefined
    requireMilliseconds(data.expiresAt, 'data.expiresAt', '/data/expiresAt')
    return data.expiresAt > now
      ? undefined
      : fails(
          'DELEGATION_EXPIRED',
          'data.expiresAt lies in the past: give Unix milliseconds in the future, or 0 for never',
        )
  },

  verify(claim, { settings }) {
    const { data, context } = claim
    const expiresAt = data.expiresAt || undefined
    const { controllerChainRef, agentChainRef, controllerAccountId, agentAccountId } = readAccounts(
      data,
      context,
      settings.hubChainId,
    )
    requireSameChainSigner(claim, data.controllerWallet, controllerChainRef, 'agent-delegation')
    const scope = data.scope ?? 'global'
    const isForPayments = scope === 'payments:x402'
    return holds(
      keepPresent({
        ...data,
        scope,
        controllerWallet: normalizeAddress(data.controllerWallet),
        agentWallet: normalizeAddress(data.agentWallet),
        controllerChainRef,
        agentChainRef,
        controllerAccountId,
        agentAccountId,
        allowedPaymentTypes: data.allowedPaymentTypes ?? (isForPayments ? ['x402'] : undefined),
        receiptDisclosure: data.receiptDisclosure ?? (isForPayments ? 'summary' : undefined),
        expiresAt: expiresAt ?? null,
      }),
      expiresAt === undefined ? {} : { expiresAt },
    )
  },

  parameters: {
    controllerWallet: sharedParameters.controllerWallet,
    agentWallet: sharedParameters.agentWallet,
    agentId: sharedParameters.agentId,
    delegationScope: { kind: 'text', description: 'Scope of the delegation.' },
  },
  facts: ['agentWallet', 'agentId'],

  // Contracts at one address on two chains are two agents. On the controller's chain the scope equals that of older
  // versions.
  writeScope: ({ agentWallet, agentChainRef, controllerChainRef, agentId, scope }) => {
    const chain = agentChainRef === controllerChainRef || agentChainRef === undefined ? '' : `${agentChainRef}:`
    return `${chain}${agentWallet} ${agentId ?? ''} ${scope}`
  },

  publicEvidence: (evidence): Evidence =>
    Object.fromEntries(Object.entries(evidence).filter(([name]) => !(ownerOnly as readonly string[]).includes(name))),
})

interface NamedWallets {
  readonly controllerWallet: string
  readonly controllerChainRef?: string
  readonly agentWallet: string
  readonly agentChainRef?: string
}

/** Clients often leave the chains out; the signing context supplies them, or for an agent elsewhere its address. */
function readAccounts(
  { controllerWallet, agentWallet, ...named }: NamedWallets,
  context: ChainContext,
  hubChainId: number,
) {
  const controllerChainRef = named.controllerChainRef ?? writeChain(context)
  const agentChainRef = named.agentChainRef ?? chooseAgentChain(agentWallet, context, hubChainId)
  return {
    controllerChainRef,
    agentChainRef,
    controllerAccountId: writeAccountId(controllerChainRef, controllerWallet),
    agentAccountId: writeAccountId(agentChainRef, agentWallet),
  }
}

/** The chain of the request, unless the address has the form of another namespace. */
function chooseAgentChain(agentWallet: string, context: ChainContext, hubChainId: number): string {
  if (isValidAddress(readNamespace(context), agentWallet)) return writeChain(context)
  return isEvmAddress(agentWallet) ? `eip155:${hubChainId}` : guessChain(agentWallet)
}

/**
 * The agent signs nothing, so its wallet is checked by its form. A name counts only with its chain. Clients may leave
 * out the chain of an agent in another namespace, whose address shows it. Errors: INVALID_VERIFIER_DATA.
 */
function requireAgentAddress({ agentWallet, agentChainRef }: NamedWallets, context: ChainContext): void {
  const namespace = readNamespace(agentChainRef === undefined ? context : { chain: agentChainRef })
  const fault = findAddressFault(agentWallet, namespace)
  if (fault === undefined || (agentChainRef === undefined && looksLikeAddress(agentWallet))) return
  const told =
    agentChainRef === undefined
      ? `is ${explainNoBareAddress(agentWallet, 'The chain goes into agentChainRef, such as near:mainnet')}`
      : `is not an address of ${agentChainRef} (agentChainRef): ${fault}`
  throw new AppError('INVALID_VERIFIER_DATA', `data.agentWallet ${told}`, {
    verifierId: 'agent-delegation',
    path: '/agentWallet',
  })
}
