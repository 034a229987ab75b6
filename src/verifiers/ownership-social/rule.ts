import { Type } from '@sinclair/typebox'
import { keepPresent } from '../shapes.ts'
import { examineSignIn, otherKind, readSocialEvidence, socialMembers } from '../social-token.ts'
import { defineVerifier, holds } from '../verifier.ts'
import { words } from './words.ts'

/**
 * `ownership-social`: whoever signs has just signed in to an account at another provider, in the browser and for the
 * wallet that the sign-in was begun in and for. What the provider said of the account came over that sign-in alone.
 *
 * A handle may belong to somebody else tomorrow: the id is the account. Numbers are those of that moment.
 */
export const ownershipSocial = defineVerifier({
  id: 'ownership-social',
  category: 'ownership',
  description: 'A wallet and an account at another provider belong to the same person.',
  words,
  flow: 'interactive',
  expiry: 'permanent',
  status: 'social_account_linked',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic'],
  signInKind: 'social',
  data: Type.Object(socialMembers),
  absentWithout: ({ social }) =>
    social.providers.some(({ kinds }) => kinds.includes('social'))
      ? undefined
      : 'needs a provider to sign in to: add [social.<name>], for example [social.github], to the configuration',

  examine: ({ subject, data }, { outside: { social } }) =>
    examineSignIn(data, subject, { kind: 'social', verifierId: 'ownership-social', social }),

  verify({ subject, data }, tools) {
    const evidence = readSocialEvidence(data, subject, tools)
    if ('holds' in evidence) return evidence
    const { provider, label, account, spends } = evidence
    if (!account) return otherKind.social(label)
    return holds(
      keepPresent({
        provider,
        socialUserId: account.id,
        handle: account.handle,
        profileUrl: account.profileUrl,
        traits: account.traits,
        walletAddress: subject,
        linkTimestamp: tools.now,
      }),
      { spends },
    )
  },

  facts: ['handle'],

  scopeOf: ({ provider }) => String(provider),
})
