/**
 * Which organisation a person belongs to, from claims that its provider vouches for. An e-mail address alone is no such
 * claim: providers let people write what they like there. What is returned holds no address of a person.
 */
import { type Claims, readMember } from './account.ts'
import type { Membership } from './social.ts'

const mostDomains = 20
const longestDomain = 253

/** The tenant of all personal Microsoft accounts. */
const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Google gives `hd` to accounts of an organisation only, after it has seen the domain to be theirs. */
export const readGoogleMembership = ({ hd }: Claims): Membership => {
  const domains = listDomains(hd)
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/**
 * `xms_edov` says that the owner of the tenant has shown the domain of the e-mail address to be theirs; Graph says the
 * same of the tenant itself. `graph` is asked only for members of an organisation.
 */
export async function readMicrosoftMembership(claims: Claims, graph?: () => Promise<unknown>): Promise<Membership> {
  const { tid, oid, email, xms_edov: isDomainVerified, idp, iss, acct } = claims
  if (typeof tid !== 'string' || typeof oid !== 'string' || tid.toLowerCase() === consumerTenant)
    return { fault: 'NOT_AN_ORGANISATION' }
  // A guest signs in to a tenant from elsewhere: its domains are not the guest's.
  if ((idp !== undefined && idp !== iss) || acct === 1 || acct === '1') return { fault: 'NOT_A_MEMBER' }

  const isVouchedFor =
    isDomainVerified === true || isDomainVerified === 1 || /^(1|true)$/i.test(String(isDomainVerified))
  const ofEmail = isVouchedFor && typeof email === 'string' ? listDomains(email.slice(email.lastIndexOf('@') + 1)) : []
  const domains = [...ofEmail, ...(graph ? listVerifiedDomains(await graph(), tid) : [])]
  return domains.length > 0
    ? { domains: [...new Set(domains)].slice(0, mostDomains) }
    : { fault: 'DOMAIN_NOT_VOUCHED_FOR' }
}

/** Graph lists no domain that is not verified. The ones that Microsoft itself gives out are nobody's name. */
function listVerifiedDomains(answer: unknown, tid: string): string[] {
  const organisations = readMember(answer, 'value')
  const own = Array.isArray(organisations)
    ? organisations.find((one) => String(readMember(one, 'id')).toLowerCase() === tid.toLowerCase())
    : undefined
  const listed = readMember(own, 'verifiedDomains')
  if (!Array.isArray(listed)) return []
  const usual = listed.filter((one) => readMember(one, 'isInitial') !== true)
  const byDefault = usual.filter((one) => readMember(one, 'isDefault') === true)
  return listDomains([...byDefault, ...usual].map((one) => readMember(one, 'name')))
}

/** Of a provider whose operator named the claim. */
export const readClaimedMembership = (claims: Claims, claim: string): Membership => {
  const domains = listDomains(readMember(claims, claim))
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/** Texts that may be domains. Whether they are is for the verifier to say. */
const listDomains = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string' && one.length > 0 && one.length <= longestDomain)
    .slice(0, mostDomains)
