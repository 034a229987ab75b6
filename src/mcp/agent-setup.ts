/**
 * Creates an agent: its identity, signed by its own wallet, and the delegation of a wallet of the person. Steps that
 * the person's sign-in or a new key allows are done. The other steps are prepared for signing.
 */

import { AppError } from '../errors.ts'
import { isProofOwner } from '../proofs/owner.ts'
import { standardize } from '../verification/standardize.ts'
import { submit } from '../verification/submit.ts'
import { agentDelegationId, agentIdentityId } from '../verifiers/roles.ts'
import { type Account, isEvmAddress, type NamedAccount, parseAccount, writeName } from '../wallet/account.ts'
import { chooseAgent, listAgentDelegations, listAgentIdentities, listOwnDelegations } from './agents.ts'
import { type Prepared, prepareSigning } from './prepared.ts'
import type { Caller } from './tool.ts'
import { findOwn } from './wallets.ts'

/** Loads when it is used: it brings a library of elliptic curves. */
const loadAccounts = () => require('viem/accounts') as typeof import('viem/accounts')

export interface AgentPlan {
  readonly agentId: string
  readonly agent: NamedAccount
  readonly controller: NamedAccount
  /** Members of agent-identity beside id and wallet. */
  readonly about: Readonly<Record<string, unknown>>
  /** Members of agent-delegation beside the two wallets and the id. */
  readonly granted: Readonly<Record<string, unknown>>
}

export interface Step {
  readonly qHash: string | null
  /** Whether it was there before. */
  readonly wasThere: boolean
  readonly prepared: Prepared | undefined
}

/** Everybody may see who an agent is: the interface calls identities public. */
const identityOptions = { privacyLevel: 'public', publicDisplay: true } as const

const notEvmChain = 'solana:mainnet'

/** The chain for a claim of this wallet: the contract's own, or the default one for a key. */
function chooseChain(wallet: string, { contractOn }: Account): string | undefined {
  return contractOn ?? (isEvmAddress(wallet) ? undefined : notEvmChain)
}

/**
 * One of the person's accounts, or any account that the name may mean. On a named chain, a contract may still be
 * deployed.
 */
async function choosePlanned(named: NamedAccount, { parts, identity }: Caller) {
  const own = await findOwn(identity, named)
  const account = own ?? parseAccount(await chooseAgent(parts, identity, named))
  const chain = own || !named.isChainGiven ? chooseChain(named.wallet, account) : (named.chain ?? notEvmChain)
  return { own, account, chain, chainRef: chain ?? `eip155:${parts.config.signing.hubChainId}` }
}

const findEarlierIdentity = async ({ agent, agentId }: AgentPlan, { parts, identity }: Caller) =>
  (await listAgentIdentities(parts, identity, agent)).find(({ data }) => data.agentId === agentId)

async function findEarlierDelegation(plan: AgentPlan, caller: Caller) {
  const { parts, identity } = caller
  const { account: controller } = await choosePlanned(plan.controller, caller)
  const scope = plan.granted.scope ?? 'global'
  return (
    await listAgentDelegations(
      parts,
      await listOwnDelegations(parts, identity),
      await chooseAgent(parts, identity, plan.agent),
      plan.agentId,
    )
  ).find(({ proof, data, isExpired }) => !isExpired && isProofOwner(proof, controller) && data.scope === scope)
}

/** Verifiers whose proofs are still to be made. */
export const listMissing = async (plan: AgentPlan, caller: Caller): Promise<string[]> => [
  ...((await findEarlierIdentity(plan, caller)) ? [] : [agentIdentityId]),
  ...((await findEarlierDelegation(plan, caller)) ? [] : [agentDelegationId]),
]

/** Errors: those of a create. */
export async function makeIdentity(plan: AgentPlan, caller: Caller, privateKey?: `0x${string}`): Promise<Step> {
  const { parts, identity, toolName, appId } = caller
  const { agentId, agent, about } = plan
  const agentWallet = agent.wallet
  const earlier = await findEarlierIdentity(plan, caller)
  if (earlier) return { qHash: earlier.proof.qHash, wasThere: true, prepared: undefined }

  const { own, chain } = await choosePlanned(agent, caller)
  const claim = {
    walletAddress: agentWallet,
    verifierIds: [agentIdentityId],
    data: { agentId, agentWallet, ...about },
    ...(chain === undefined ? {} : { chain }),
  }
  if (privateKey !== undefined) {
    const request = { ...claim, signedTimestamp: parts.now() }
    const signature = await loadAccounts()
      .privateKeyToAccount(privateKey)
      .signMessage({
        message: standardize(parts, request).signerString,
      })
    const offer = { identity, appId, onBehalfOf: identity.source }
    const { proof } = await submit(parts, { ...request, signature, options: identityOptions }, offer)
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  }
  if (own) {
    const { proof } = await submit(parts, { ...claim, options: identityOptions }, { identity, appId })
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  }
  const purpose = `The agent ${agentId} says who it is`
  return {
    qHash: null,
    wasThere: false,
    prepared: prepareSigning(parts, claim, purpose, toolName('verify'), identityOptions),
  }
}

/** Errors: those of a create. */
export async function makeDelegation(plan: AgentPlan, caller: Caller): Promise<Step> {
  const { parts, identity, toolName, appId } = caller
  const { agentId, granted } = plan
  const [agentWallet, controllerWallet] = [plan.agent.wallet, plan.controller.wallet]
  const agent = await choosePlanned(plan.agent, caller)
  const { own, chain, chainRef } = await choosePlanned(plan.controller, caller)
  const earlier = await findEarlierDelegation(plan, caller)
  if (earlier) return { qHash: earlier.proof.qHash, wasThere: true, prepared: undefined }

  const claim = {
    walletAddress: controllerWallet,
    verifierIds: [agentDelegationId],
    data: {
      controllerWallet,
      controllerChainRef: chainRef,
      agentWallet,
      agentChainRef: agent.chainRef,
      agentId,
      ...granted,
    },
    ...(chain === undefined ? {} : { chain }),
  }
  const makeStepToSign = (): Step => ({
    qHash: null,
    wasThere: false,
    prepared: prepareSigning(
      parts,
      claim,
      `${writeName(plan.controller)} lets the agent ${agentId} act`,
      toolName('verify'),
    ),
  })
  if (!own) return makeStepToSign()
  try {
    const { proof } = await submit(parts, claim, { identity, appId })
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  } catch (error) {
    // Rights beyond the credential, such as an app link or no end, need the wallet's own signature
    // (verification/authority.ts).
    if (error instanceof AppError && error.code === 'FORBIDDEN') return makeStepToSign()
    throw error
  }
}
