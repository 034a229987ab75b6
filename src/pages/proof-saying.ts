/** What a proof says in a few words, where its maker gave it no title. */
import type { ProofView } from '../proofs/view.ts'
import { wordsFor } from './verifier-words.ts'

type Data = Readonly<Record<string, unknown>>

const short = (value: unknown): string => {
  const text = String(value ?? '')
  return /^0x[0-9a-f]{16,}$/i.test(text) || text.length > 60 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text
}
const inputOf = (data: Data): Data => (data.input ?? {}) as Data

const sayings: Readonly<Record<string, (data: Data) => string | undefined>> = {
  'ownership-basic': ({ reference, contentHash }) => {
    const { title, name, id } = (reference ?? {}) as Data
    return String(title ?? name ?? '') || (id ? String(id) : contentHash ? `Content ${short(contentHash)}` : undefined)
  },
  'ownership-social': ({ handle, provider }) => `@${handle} at ${provider}`,
  'ownership-pseudonym': ({ handle, namespace }) => `${handle} in ${namespace}`,
  'ownership-dns-txt': ({ domain }) => String(domain),
  'ownership-org-oauth': ({ organization, domain }) => String(organization ?? domain ?? ''),
  'contract-ownership': (data) => `Controls ${short(inputOf(data).contractAddress)}`,
  'nft-ownership': (data) => `Number ${short(inputOf(data).tokenId)} of ${short(inputOf(data).contractAddress)}`,
  'token-holding': (data) => `At least ${inputOf(data).minBalance} of ${short(inputOf(data).contractAddress)}`,
  'wallet-risk': ({ overallRisk }) => `Risk: ${overallRisk}`,
  'wallet-link': ({ secondaryWalletAddress }) => `${short(secondaryWalletAddress)} belongs to it`,
  'ai-content-moderation': ({ contentHash }) => `Content ${short(contentHash)}`,
  'agent-identity': ({ displayName, agentId }) => String(displayName ?? agentId ?? ''),
  'agent-delegation': ({ agentWallet, agentId }) => `May act: ${agentId ?? short(agentWallet)}`,
}

/** Empty where there is nothing to say beyond the names of the verifiers. */
export function sayingOf({ verifiedVerifiers = [] }: Pick<ProofView, 'verifiedVerifiers'>): string {
  const held = verifiedVerifiers.find(({ status }) => status !== 'failed') ?? verifiedVerifiers[0]
  return (held && sayings[held.verifierId]?.(held.data as Data)) || ''
}

export const titleOf = (proof: Pick<ProofView, 'title' | 'verifierIds' | 'verifiedVerifiers'>): string => {
  const { title, verifierIds = [] } = proof
  if (title?.trim()) return title
  return sayingOf(proof) || (verifierIds.length === 1 ? wordsFor(verifierIds[0]!).title : 'A proof of several claims')
}
