/**
 * The network world, as one value that is made once from the configuration and handed to those who ask. What is not
 * configured is absent: no call is ever made that no setting names.
 */
import type { Chains } from './chains/chain.ts'
import type { Dns } from './dns/dns.ts'
import type { Documents } from './documents/documents.ts'
import type { Human } from './human/human.ts'
import type { Ipfs } from './ipfs/ipfs.ts'
import type { Moderation } from './moderation/moderation.ts'
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
  /** Other providers that people can sign in to. */
  readonly social: Social
  /** One for every configured endpoint, for `proofgate doctor`. */
  readonly probes: readonly Probe[]
  /** What became of the calls of every source, those that features open themselves included. */
  readonly watch: Watch
}
