/**
 * Which organisation a person belongs to, from claims that its provider vouches for. An e-mail address alone is no such
 * claim: providers let people write what they like there. What is returned holds no address of a person.
 */
import { type Claims, memberAt } from './account.ts'
import type { Membership } from './social.ts'

const mostDomains = 20
const longestDomain = 253

/** The tenant of all personal Microsoft accounts. */
const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Google gives `hd` to accounts of an organisation only, after it has seen the domain to be theirs. */
export const googleMembership = ({ hd }: Claims): Membership => {
  const domains = domainsIn(hd)
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/**
 * `xms_edov` says that the owner of the tenant has shown the domain of the e-mail address to be theirs; Graph says the
 * same of the tenant itself. `graph` is asked only for members of an organisation.
 */
export async function microsoftMembership(claims: Claims, graph?: () => Promise<unknown>): Promise<Membership> {
  const { tid, oid, email, xms_edov: isDomainVerified, idp, iss, acct } = claims
  if (typeof tid !== 'string' || typeof oid !== 'string' || tid.toLowerCase() === consumerTenant)
    return { fault: 'NOT_AN_ORGANISATION' }
  // A guest signs in to a tenant from elsewhere: its domains are not the guest's.
  if ((idp !== undefined && idp !== iss) || acct === 1 || acct === '1') return { fault: 'NOT_A_MEMBER' }

  const isVouchedFor =
    isDomainVerified === true || isDomainVerified === 1 || /^(1|true)$/i.test(String(isDomainVerified))
  const ofEmail = isVouchedFor && typeof email === 'string' ? domainsIn(email.slice(email.lastIndexOf('@') + 1)) : []
  const domains = [...ofEmail, ...(graph ? verifiedDomainsIn(await graph(), tid) : [])]
  return domains.length > 0
    ? { domains: [...new Set(domains)].slice(0, mostDomains) }
    : { fault: 'DOMAIN_NOT_VOUCHED_FOR' }
}

/** Graph lists no domain that is not verified. The ones that Microsoft itself gives out are nobody's name. */
function verifiedDomainsIn(answer: unknown, tid: string): string[] {
  const organisations = memberAt(answer, 'value')
  const own = Array.isArray(organisations)
    ? organisations.find((one) => String(memberAt(one, 'id')).toLowerCase() === tid.toLowerCase())
    : undefined
  const listed = memberAt(own, 'verifiedDomains')
  if (!Array.isArray(listed)) return []
  const usual = listed.filter((one) => memberAt(one, 'isInitial') !== true)
  const byDefault = usual.filter((one) => memberAt(one, 'isDefault') === true)
  return domainsIn([...byDefault, ...usual].map((one) => memberAt(one, 'name')))
}

/** Of a provider whose operator named the claim. */
export const claimedMembership = (claims: Claims, claim: string): Membership => {
  const domains = domainsIn(memberAt(claims, claim))
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/** Texts that may be domains. Whether they are is for the verifier to say. */
const domainsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string' && one.length > 0 && one.length <= longestDomain)
    .slice(0, mostDomains)
