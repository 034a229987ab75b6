/**
 * A person who does not sign. A cookie, an access key, or an access token at the MCP endpoint identifies them. The
 * folders sessions/ and oauth/ establish the identity in this shared form.
 */

import type { Profile } from '../profiles/store.ts'
import type { Ground } from '../request-scope.ts'
import { type Account, isSameAccount } from '../wallet/account.ts'

export type { Account } from '../wallet/account.ts'

/** The scopes of a credential, without the brand: `svc:core` is `core`. */
export const grantScopes = ['core', 'profile', 'secrets'] as const
export type GrantScope = (typeof grantScopes)[number]

/** An account of a person. */
export interface OwnAccount extends Account {
  /** The link to the person; undefined for the primary account. */
  readonly ground?: Ground
}

/** How the person is identified. A linked wallet opened a linked session, and may be unlinked again. */
export type Via = 'session' | 'linked-session' | 'access-key' | 'access-token'

/** The right by which something was made that outlives the request. */
export const sourceKinds = ['signature', 'session', 'linked-session', 'access-key', 'oauth-grant'] as const
export type SourceKind = (typeof sourceKinds)[number]

export interface Source {
  readonly kind: SourceKind
  /**
   * access_keys.key_id, oauth_families.handle or `link:` with the id of the link's proof. Empty for a signature and for
   * a session of the wallet itself, which cannot be revoked.
   */
  readonly id: string
  /** proofs.id of the wallet-link through which the maker acted as the person; null for the primary wallet. */
  readonly linkProof: number | null
}

export const bySignature: Source = { kind: 'signature', id: '', linkProof: null }
export const bySession: Source = { kind: 'session', id: '', linkProof: null }

export interface Identity {
  readonly profile: Profile
  /** The primary account first, then those that active wallet-link proofs of it name. */
  listAccounts(): Promise<readonly OwnAccount[]>
  readonly scopes: ReadonlySet<GrantScope>
  readonly via: Via
  /** The source whose effects end when the credential is revoked or the link is dissolved. */
  readonly source: Source
  /** The account that signed in to a linked session. */
  readonly signedInAs?: Account
}

/** Whether the person acts by a key or a token, which may have fewer rights. */
export const isByCredential = ({ via }: Identity): boolean => via === 'access-key' || via === 'access-token'

/**
 * The source of an action by one of the person's accounts. A signed-in wallet that acts for itself uses its own right.
 */
export const readSource = ({ source, signedInAs }: Identity, acting: Account): Source =>
  signedInAs && isSameAccount(signedInAs, acting) ? bySession : source
