/**
 * A person as the routes see them when they do not sign: by the cookie of a browser, by an access key, or by an access
 * token at the MCP endpoint. How it is established is sessions/ and oauth/; this is what all of them agree on.
 */

/** What a credential is good for, without the brand: `svc:core` is `core`. */
export const grantScopes = ['core', 'profile', 'secrets'] as const
export type GrantScope = (typeof grantScopes)[number]

export interface Account {
  /** As stored and compared: EVM in lower case. */
  readonly wallet: string
  /** CAIP-2 id of the chain on which it is a contract wallet; undefined for keys. */
  readonly contractOn: string | undefined
}

export interface Profile {
  /** profiles.id */
  readonly id: number
  /** `sub` of tokens. */
  readonly subject: string
  /** did:pkh of the primary account. */
  readonly did: string
  /** The primary account. */
  readonly primary: Account
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** How the person is known. A linked session is one that a linked wallet opened, which may be unlinked again. */
export type Via = 'session' | 'linked-session' | 'access-key' | 'access-token'

export interface Identity {
  readonly profile: Profile
  /** The primary account first, then those that active wallet-link proofs of it name. */
  readonly accounts: readonly Account[]
  readonly scopes: ReadonlySet<GrantScope>
  readonly via: Via
}
