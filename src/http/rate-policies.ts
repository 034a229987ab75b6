/**
 * The policies by which requests are counted, each with the key that it counts by. Rates come from `limits.rates`. A policy
 * with a `setting` counts bytes in place of requests.
 */
export const policies = {
  /** Every request except OPTIONS and those of `foreign`. */
  api: { per: 'client address' },
  /** OPTIONS. A bucket of its own: browsers ask before most calls, and a page would lose half of its requests. */
  preflight: { per: 'client address' },
  /**
   * Requests that are refused for their Host or Origin. They have their own bucket: on loopback they share the person's
   * address, and must not use up the person's requests.
   */
  foreign: { per: 'client address' },
  /**
   * Proofs made with a valid signature; counted after the check, so that no caller can use up another wallet's share.
   */
  create: { per: 'signer' },
  reads: { per: 'client address' },
  /** Standardize and diagnose: they cost work and store nothing. */
  prepare: { per: 'client address' },
  /** Actions a proof owner signs: revoke, erase, grant. */
  owner: { per: 'client address' },
  /** Signing in, and changes to keys and sessions. */
  sessions: { per: 'client address' },
  /** What the pages of a computer and a phone ask again and again, while they are connected (pairing/routes.ts). */
  pairing: { per: 'side of a connection' },
  /** Preview pictures that are drawn. Kept ones count as reads. */
  pictures: { per: 'client address' },
  /** The token and revocation endpoints of OAuth. */
  token: { per: 'client address' },
  /** Dynamic registration of OAuth clients. */
  register: { per: 'client address' },
  /** Calls at the MCP endpoint. */
  mcp: { per: 'person' },
  /** Addresses that watch the server (`limits.monitors`) are never refused. */
  health: { per: 'client address', sparesMonitor: true },
  /** Bytes that requests of one network store (http/admit-writes.ts). */
  written_by_network: { per: 'network', setting: 'limits.bytes.network' },
  /** Bytes that one wallet stores, from wherever it comes. */
  written_by_owner: { per: 'owner', setting: 'limits.bytes.owner' },
} as const satisfies Record<string, Policy>

interface Policy {
  readonly per: string
  readonly setting?: string
  readonly sparesMonitor?: boolean
}

export type PolicyName = keyof typeof policies

export interface Rate {
  readonly count: number
  readonly windowMs: number
}
