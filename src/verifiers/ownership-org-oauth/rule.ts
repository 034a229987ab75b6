import { Type } from '@sinclair/typebox'
import { makeRefuse } from '../assets/refuse.ts'
import { sharedParameters } from '../check-parameter.ts'
import { domainMaxLength, parseDomain } from '../domain.ts'
import { examineSignIn, otherKind, readSocialEvidence, socialMembers } from '../social-token.ts'
import { defineVerifier, fails, holds, type SocialEvidence } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const refuse = makeRefuse('ownership-org-oauth')

/**
 * `ownership-org-oauth`: the signer has just signed in with an account of an organization, and the provider vouches for
 * its domain. The evidence names the organization and not the person: no e-mail address, no id. It holds for the time
 * of the sign-in. This server does not learn when people leave an organization, so gates set maxAgeMs.
 */
export const ownershipOrgOauth = defineVerifier({
  id: 'ownership-org-oauth',
  category: 'ownership',
  description: 'A wallet belongs to a member of an organization.',
  words,
  translations: { de: german },
  flow: 'interactive',
  expiry: 'permanent',
  status: 'organization_verified',
  allowsDelegatedSubject: false,
  compatibleWith: ['agent-delegation'],
  signInKind: 'org',
  data: Type.Object({
    ...socialMembers,
    expectedOrgDomain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: domainMaxLength + 1,
        description: 'Only this domain will do: example.com. Capitals and IDN are fine.',
      }),
    ),
  }),
  absentWithout: ({ social }) =>
    social.providers.some(({ kinds }) => kinds.includes('org'))
      ? undefined
      : 'needs a provider that shows organizations: add [social.google] or [social.microsoft] to the configuration',

  examine({ subject, data }, { outside: { social } }) {
    readExpectedDomain(data)
    return examineSignIn(data, subject, { kind: 'org', verifierId: 'ownership-org-oauth', social })
  },

  verify({ subject, data }, tools) {
    const expected = readExpectedDomain(data)
    const evidence = readSocialEvidence(data, subject, tools)
    if ('holds' in evidence) return evidence

    const domains = requireDomains(evidence)
    if ('holds' in domains) return domains
    const domain = expected ? domains.find((one) => one === expected) : domains[0]
    if (domain === undefined)
      return fails(
        'ORG_DOMAIN_MISMATCH',
        `the organization is ${domains.join(', ')}, and ${expected} is expected: sign in with an account of that organization`,
      )
    return holds(
      { provider: data.provider, orgDomain: domain, domain, walletAddress: subject, verifiedAt: tools.now, traits: {} },
      { spends: evidence.spends },
    )
  },

  parameters: {
    provider: sharedParameters.provider,
    domain: sharedParameters.domain,
  },
  facts: ['domain'],

  writeScope: ({ provider, orgDomain }) => `${provider}\n${orgDomain}`,
})

/** Errors: INVALID_VERIFIER_DATA. */
function readExpectedDomain({ expectedOrgDomain }: { readonly expectedOrgDomain?: string }): string | undefined {
  const expected = expectedOrgDomain === undefined ? undefined : parseDomain(expectedOrgDomain)
  if (expected && 'fault' in expected)
    throw refuse('/expectedOrgDomain', `data.expectedOrgDomain is no domain: ${expected.fault}`)
  return expected?.domain
}

/** At least one domain, normalized for comparison. */
function requireDomains({
  membership,
  label,
}: SocialEvidence): readonly [string, ...string[]] | ReturnType<typeof fails> {
  if (!membership) return otherKind.org(label)
  if ('fault' in membership) return fails(membership.fault, faults[membership.fault](label))
  const named = membership.domains.map(parseDomain).flatMap((one) => ('domain' in one ? [one.domain] : []))
  const [first, ...more] = new Set(named)
  return first === undefined ? fails('DOMAIN_NOT_VOUCHED_FOR', faults.DOMAIN_NOT_VOUCHED_FOR(label)) : [first, ...more]
}

const faults = {
  NOT_AN_ORGANISATION: (label: string) =>
    `this ${label} account belongs to a person and to no organization: sign in with the account that the organization gave you`,
  NOT_A_MEMBER: (label: string) =>
    `this ${label} account is a guest in the organization: sign in with an account that is a member`,
  DOMAIN_NOT_VOUCHED_FOR: (label: string) =>
    `${label} does not say that a domain belongs to the organization: its administrator must verify the domain, and let this server see it`,
} as const
