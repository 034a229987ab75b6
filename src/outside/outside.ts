/**
 * The network as one value, made once from the configuration and passed to its users. An unconfigured service is
 * absent: every call goes to an address that a setting names.
 */
import type { Chains } from './chains/chain.ts'
import type { Dns } from './dns/dns.ts'
import type { Documents } from './documents/documents.ts'
import type { Human } from './human/human.ts'
import type { Ipfs } from './ipfs/ipfs.ts'
import type { Moderation } from './moderation/moderation.ts'
import type { Names } from './names/ens.ts'
import type { Probe } from './probe.ts'
import type { Risk } from './risk/risk.ts'
import type { Social } from './social/social.ts'
import type { Watch } from './watch.ts'

export interface Outside {
  readonly chains: Chains
  readonly dns: Dns | undefined
  readonly risk: Risk
  readonly moderation: Moderation
  readonly human: Human
  readonly ipfs: Ipfs | undefined
  /** Documents that OAuth clients publish about themselves. */
  readonly documents: Documents | undefined
  /** Names of wallets, where Ethereum is among the chains. */
  readonly names: Names | undefined
  /** Other providers that people can sign in to. */
  readonly social: Social
  /** One for every configured endpoint, for `proofgate doctor`. */
  readonly probes: readonly Probe[]
  /** The outcome of the calls of every source, those that features open themselves included. */
  readonly watch: Watch
}
