/**
 * A person as the routes see them when they do not sign: by the cookie of a browser, by an access key, or by an access
 * token at the MCP endpoint. How it is established is sessions/ and oauth/; this is what all of them agree on.
 */

import type { Profile } from '../profiles/store.ts'
import type { Ground } from '../request-scope.ts'
import { type Account, isSameAccount } from '../wallet/account.ts'

export type { Account } from '../wallet/account.ts'

/** What a credential is good for, without the brand: `svc:core` is `core`. */
export const grantScopes = ['core', 'profile', 'secrets'] as const
export type GrantScope = (typeof grantScopes)[number]

/** An account of a person. */
export interface OwnAccount extends Account {
  /** The link by which it is the person's; undefined for the primary account. */
  readonly ground?: Ground
}

/** How the person is known. A linked session is one that a linked wallet opened, which may be unlinked again. */
export type Via = 'session' | 'linked-session' | 'access-key' | 'access-token'

/** By what right something was made that outlives the request. */
export const sourceKinds = ['signature', 'session', 'linked-session', 'access-key', 'oauth-grant'] as const
export type SourceKind = (typeof sourceKinds)[number]

export interface Source {
  readonly kind: SourceKind
  /**
   * access_keys.key_id, oauth_families.handle or `link:` with the id of the link's proof. Empty for a signature and for a
   * session of the wallet itself, which nobody can revoke.
   */
  readonly id: string
  /** proofs.id of the wallet-link by which the maker was the person; null for the primary wallet. */
  readonly linkProof: number | null
}

export const bySignature: Source = { kind: 'signature', id: '', linkProof: null }
export const bySession: Source = { kind: 'session', id: '', linkProof: null }

export interface Identity {
  readonly profile: Profile
  /** The primary account first, then those that active wallet-link proofs of it name. */
  readonly accounts: readonly OwnAccount[]
  readonly scopes: ReadonlySet<GrantScope>
  readonly via: Via
  /** What ends when the credential is revoked or the link is dissolved. */
  readonly source: Source
  /** The account that signed in to a linked session. */
  readonly signedInAs?: Account
}

/** Whether the person acts by a key or a token, which may have been given less than they have. */
export const isByCredential = ({ via }: Identity): boolean => via === 'access-key' || via === 'access-token'

/** The source of what a person makes as one of its accounts. A wallet that is signed in acts for itself by its own right. */
export const readSource = ({ source, signedInAs }: Identity, acting: Account): Source =>
  signedInAs && isSameAccount(signedInAs, acting) ? bySession : source
