/** The shapes of /api/v1/auth: bodies and answers, and how accounts, sessions and keys are shown. */
import { Type } from '@sinclair/typebox'
import { describeAnswer } from '../../http/describe.ts'
import { TracesView } from '../../http/traces-view.ts'
import { namePattern } from '../../pattern-words.ts'
import type { Profile } from '../../profiles/store.ts'
import { open } from '../../shape.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import { writeScope } from '../access-keys/access-keys.ts'
import type { ListedKey } from '../access-keys/store.ts'
import { EndsWithView } from '../ends-with.ts'
import { parseScopes } from '../identify.ts'
import { type Account, type GrantScope, grantScopes, type Identity } from '../identity.ts'
import { messageMaxLength } from '../sign-in/message.ts'
import { methodMaxLength, pastedMaxLength } from '../sign-in/pasted-token.ts'
import { describeBrowser } from './describe-browser.ts'
import { shortenSessionHash } from './session.ts'
import type { Session } from './store.ts'

export const NonceBody = open({
  walletAddress: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'An EVM address, 0x and 40 hexadecimal digits, or a Solana address.',
  }),
  chainId: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 })),
  chain: Type.Optional(
    Type.String({
      maxLength: 80,
      description: 'CAIP-2. For a contract wallet the chain it is on; keys need none.',
    }),
  ),
})

export const VerifyBody = open({
  message: Type.Optional(
    Type.String({ minLength: 1, maxLength: messageMaxLength, description: 'EIP-4361 or CAIP-122, as it was signed.' }),
  ),
  signature: Type.Optional(Type.String({ minLength: 1, maxLength: signatureMaxLength })),
  signatureMethod: Type.Optional(
    Type.String({ minLength: 1, maxLength: methodMaxLength, description: 'eip191, eip1271, eip6492 or ed25519.' }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: pastedMaxLength,
      description: 'What proofgate sign printed, in place of message and signature.',
    }),
  ),
})

const Milliseconds = (description: string) => Type.Integer({ description: `${description} Unix milliseconds.` })
const describeNullableMilliseconds = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Unix milliseconds.` })
const describeNullableString = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const nonceMembers = {
  nonce: Type.String({ description: 'Good for one sign-in.' }),
  expiresAt: Milliseconds('Until when the nonce is accepted.'),
}

export const preparedAnswer = describeAnswer({
  data: Type.Object({
    ...nonceMembers,
    message: Type.String({ description: 'The complete text to sign.' }),
    chain: Type.String({ description: 'CAIP-2.' }),
  }),
})

export const nonceAnswer = describeAnswer({
  data: Type.Object({
    ...nonceMembers,
    domain: Type.String({ description: 'What the message must name as its domain.' }),
    uri: Type.String({ description: 'What it may name as its URI.' }),
  }),
})

const csrfToken = Type.String({ description: 'For the header X-CSRF-Token of every change by this browser.' })
const personMembers = {
  subjectId: Type.String({ description: 'Names the person: sub of its tokens.' }),
  did: Type.String(),
  address: Type.String({ description: 'The primary wallet.' }),
}

export const signedInAnswer = describeAnswer({
  data: Type.Object({
    authenticated: Type.Literal(true),
    ...personMembers,
    csrfToken,
    expiresAt: Milliseconds('When the session ends.'),
  }),
})

const AccountView = Type.Object({
  address: Type.String(),
  contractOn: describeNullableString('CAIP-2 chain on which this is a contract wallet; null for keys.'),
  isPrimary: Type.Boolean(),
})

export const meAnswer = describeAnswer({
  data: Type.Object({
    authenticated: Type.Boolean(),
    needsOnboarding: Type.Boolean(),
    subjectId: Type.Optional(personMembers.subjectId),
    did: Type.Optional(personMembers.did),
    address: Type.Optional(personMembers.address),
    accounts: Type.Optional(Type.Array(AccountView, { description: 'The primary wallet and those linked to it.' })),
    csrfToken: Type.Optional(csrfToken),
    scopes: Type.Optional(Type.Array(Type.String())),
    via: Type.Optional(Type.String({ description: 'session, linked-session (of a linked wallet) or access-key.' })),
  }),
})

export const signedOutAnswer = describeAnswer({ data: Type.Object({ authenticated: Type.Literal(false) }) })

const SessionView = Type.Object({
  id: Type.String(),
  agent: describeNullableString('What the browser says it is.'),
  browser: describeNullableString('The same in words, such as "Firefox on Linux"; null for one that is not known.'),
  wallet: Type.String({ description: 'Which wallet signed in: an address, or CAIP-10 of a contract wallet.' }),
  linked: Type.Boolean({ description: 'Whether it is a linked wallet, whose session ends with the link.' }),
  createdAt: Milliseconds('When it signed in.'),
  seenAt: Milliseconds('When it was last used, to the hour.'),
  expiresAt: Milliseconds('When it ends.'),
  current: Type.Boolean({ description: 'Whether this request came from it.' }),
})

export const sessionsAnswer = describeAnswer({ data: Type.Object({ sessions: Type.Array(SessionView) }) })
export const endedAnswer = describeAnswer({ data: Type.Object({ id: Type.String(), ended: Type.Literal(true) }) })
export const deletedAnswer = describeAnswer({ data: Type.Object({ deleted: Type.Literal(true), traces: TracesView }) })

export const SessionParams = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'From the list of sessions.' }),
})

export const KeyBody = open({
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    pattern: namePattern,
    description: 'For the owner to know it by.',
  }),
  scopes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 16,
      description: `${grantScopes.join(', ')}, with or without the prefix of the brand. All when left out.`,
    }),
  ),
})

export const KeyParams = Type.Object({
  keyId: Type.String({ pattern: '^key_[0-9a-f]{16}$', description: 'From the list of keys.' }),
})

const keyMembers = {
  keyId: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Milliseconds('When it was made.'),
  lastUsedAt: describeNullableMilliseconds('When it was last used, to the minute.'),
  revokedAt: describeNullableMilliseconds('When it was taken back.'),
  endsWith: EndsWithView,
}

export const keyMadeAnswer = describeAnswer({
  data: Type.Object({ ...keyMembers, key: Type.String({ description: 'The key. It is shown this once.' }) }),
})
export const keysAnswer = describeAnswer({ data: Type.Object({ keys: Type.Array(Type.Object(keyMembers)) }) })
/** Omitted for a revoked key, whose effects have ended already. */
const { endsWith: _, ...revokedKeyMembers } = keyMembers
export const keyRevokedAnswer = describeAnswer({
  data: Type.Object({
    ...revokedKeyMembers,
    ended: Type.Object(EndsWithView.properties, { description: 'What it had made that ended with it.' }),
  }),
})

export const buildPersonView = ({ subject, did, primary }: Profile) => ({
  subjectId: subject,
  did,
  address: primary.wallet,
})

export async function buildMeView(
  { profile, listAccounts, scopes, via }: Identity,
  csrf: string | undefined,
  brand: string,
) {
  const buildAccountView = ({ wallet, contractOn }: Account, index: number) => ({
    address: wallet,
    contractOn: contractOn ?? null,
    isPrimary: index === 0,
  })
  return {
    authenticated: true,
    needsOnboarding: false,
    ...buildPersonView(profile),
    accounts: (await listAccounts()).map(buildAccountView),
    ...(csrf === undefined ? {} : { csrfToken: csrf }),
    scopes: [...scopes].map((scope: GrantScope) => writeScope(brand, scope)),
    via,
  }
}

export const buildSessionView = (session: Session, current: Session) => ({
  id: shortenSessionHash(session),
  agent: session.agent,
  browser: describeBrowser(session.agent) ?? null,
  wallet: session.account,
  linked: session.linkProof !== null,
  createdAt: session.createdAt,
  seenAt: session.seenAt,
  expiresAt: session.expiresAt,
  current: session.hash === current.hash,
})

export const buildKeyView = (key: ListedKey, brand: string) => ({
  keyId: key.keyId,
  prefix: key.prefix,
  name: key.name,
  scopes: parseScopes(key.scopes).map((scope) => writeScope(brand, scope)),
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  revokedAt: key.revokedAt,
})
