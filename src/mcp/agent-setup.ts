/**
 * Making an agent: its identity, signed by its own wallet, and the delegation of a wallet of the person. What can be done
 * with the person's sign-in or with a key that was just made is done; the rest is prepared for signing.
 */
import { privateKeyToAccount } from 'viem/accounts'
import { AppError } from '../errors.ts'
import { standardize } from '../verification/standardize.ts'
import { submit } from '../verification/submit.ts'
import { isEvmAddress } from '../wallet/account.ts'
import { delegationsBy, delegationsTo, identitiesAt } from './agents.ts'
import { type Prepared, prepared } from './prepared.ts'
import type { Caller } from './tool.ts'
import { accountOf } from './wallets.ts'

export interface AgentPlan {
  readonly agentId: string
  readonly agentWallet: string
  readonly controllerWallet: string
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

const chainRefOf = (wallet: string, hubChainId: number): string =>
  isEvmAddress(wallet) ? `eip155:${hubChainId}` : 'solana:mainnet'

/** Errors: those of a create. */
export async function makeIdentity(plan: AgentPlan, caller: Caller, privateKey?: `0x${string}`): Promise<Step> {
  const { parts, identity, toolName } = caller
  const { agentId, agentWallet, about } = plan
  const earlier = identitiesAt(parts, identity, agentWallet).find(({ data }) => data.agentId === agentId)
  if (earlier) return { qHash: earlier.proof.qHash, wasThere: true, prepared: undefined }

  const own = accountOf(identity, agentWallet)
  const chain = own?.contractOn ?? (isEvmAddress(agentWallet) ? undefined : 'solana:mainnet')
  const claim = {
    walletAddress: agentWallet,
    verifierIds: ['agent-identity'],
    data: { agentId, agentWallet, ...about },
    ...(chain === undefined ? {} : { chain }),
  }
  if (privateKey !== undefined) {
    const request = { ...claim, signedTimestamp: parts.now() }
    const signature = await privateKeyToAccount(privateKey).signMessage({
      message: standardize(parts, request).signerString,
    })
    const offer = { identity, onBehalfOf: identity.source }
    const { proof } = await submit(parts, { ...request, signature, options: identityOptions }, offer)
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  }
  if (own) {
    const { proof } = await submit(parts, { ...claim, options: identityOptions }, { identity })
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  }
  const purpose = `The agent ${agentId} says who it is`
  return {
    qHash: null,
    wasThere: false,
    prepared: prepared(parts, claim, purpose, toolName('verify'), identityOptions),
  }
}

/** Errors: those of a create. */
export async function makeDelegation(plan: AgentPlan, caller: Caller): Promise<Step> {
  const { parts, identity, toolName } = caller
  const { agentId, agentWallet, controllerWallet, granted } = plan
  const { hubChainId } = parts.config.signing
  const scope = granted.scope ?? 'global'
  const earlier = delegationsTo(delegationsBy(parts, identity), agentWallet, agentId).find(
    ({ proof, data, isExpired }) => !isExpired && proof.walletAddress === controllerWallet && data.scope === scope,
  )
  if (earlier) return { qHash: earlier.proof.qHash, wasThere: true, prepared: undefined }

  const own = accountOf(identity, controllerWallet)
  const chain = own?.contractOn ?? (isEvmAddress(controllerWallet) ? undefined : 'solana:mainnet')
  const claim = {
    walletAddress: controllerWallet,
    verifierIds: ['agent-delegation'],
    data: {
      controllerWallet,
      controllerChainRef: chain ?? chainRefOf(controllerWallet, hubChainId),
      agentWallet,
      agentChainRef: chainRefOf(agentWallet, hubChainId),
      agentId,
      ...granted,
    },
    ...(chain === undefined ? {} : { chain }),
  }
  const toSign = (): Step => ({
    qHash: null,
    wasThere: false,
    prepared: prepared(parts, claim, `${controllerWallet} lets the agent ${agentId} act`, toolName('verify')),
  })
  if (!own) return toSign()
  try {
    const { proof } = await submit(parts, claim, { identity })
    return { qHash: proof.qHash, wasThere: false, prepared: undefined }
  } catch (error) {
    // What exceeds the credential, such as an app link or no end, only the wallet itself can sign (verification/authority.ts).
    if (error instanceof AppError && error.code === 'FORBIDDEN') return toSign()
    throw error
  }
}
