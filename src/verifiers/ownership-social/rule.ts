import { Type } from '@sinclair/typebox'
import { sharedParameters } from '../check-parameter.ts'
import { keepPresent } from '../shapes.ts'
import { examineSignIn, otherKind, readSocialEvidence, socialMembers } from '../social-token.ts'
import { defineVerifier, holds } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

/**
 * `ownership-social`: the signer has just signed in to an account at another provider. The token is bound to the
 * browser and the wallet of that sign-in, the only source of the account data. A handle may change hands later, so the
 * id identifies the account. Its counts are those of that moment.
 */
export const ownershipSocial = defineVerifier({
  id: 'ownership-social',
  category: 'ownership',
  description: 'A wallet and an account at another provider belong to the same person.',
  words,
  translations: { de: german },
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

  parameters: {
    provider: sharedParameters.provider,
    handle: sharedParameters.handle,
  },
  facts: ['handle'],

  writeScope: ({ provider }) => String(provider),
})
