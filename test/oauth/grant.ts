/** Makes access tokens without the OAuth steps, for tests of a token's access. */

import { type AccessTokens, openAccessTokens } from '../../src/oauth/access-token.ts'
import { findFamily, insertFamily } from '../../src/oauth/family-store.ts'
import { makeHandle } from '../../src/oauth/lineage.ts'
import { buildResource } from '../../src/oauth/vocabulary.ts'
import type { Parts } from '../../src/parts.ts'
import { findProfileByAccount, makeProfile } from '../../src/profiles/store.ts'
import type { TestWallet } from '../wallets.ts'

export interface TestGrant {
  readonly token: string
  readonly tokens: AccessTokens
  /** oauth_families.id */
  readonly family: number
  readonly profile: number
}

/** Creates the grant that a person with this wallet gives to a client. The scope is as on the wire. */
export async function grantTo(
  parts: Parts,
  wallet: TestWallet,
  scope = 'svc:core svc:profile svc:secrets',
  clientId = 'svc-cli',
): Promise<TestGrant> {
  const now = parts.now()
  const address = wallet.signing.chain ? wallet.address : wallet.address.toLowerCase()
  const account = { wallet: address, contractOn: undefined }
  const did = `did:pkh:${wallet.signing.chain ?? 'eip155:84532'}:${address}`
  await parts.db.write([makeProfile({ account, did, subject: `sub-${address}`, now })])
  const profile = (await findProfileByAccount(parts.db, account))!
  const tokens = openAccessTokens(parts)
  const handle = makeHandle()
  const { token, endsAt } = await tokens.mint(
    { subject: profile.subject, did: profile.did, clientId, scope, signedInAt: now },
    { handle, generation: 0 },
  )
  await parts.db.write([
    insertFamily({
      handle,
      profile: profile.id,
      client: clientId,
      account: address,
      linkProof: null,
      redirectHost: 'localhost',
      scope,
      resource: buildResource(parts.addresses().mcpUrl),
      signedInAt: now,
      createdAt: now,
      expiresAt: now + 86_400_000,
      refreshEndsAt: now,
      accessEndsAt: endsAt,
    }),
  ])
  return { token, tokens, family: (await findFamily(parts.db, handle))!.id, profile: profile.id }
}
