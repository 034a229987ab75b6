/**
 * Finds a person's organization from claims that the provider vouches for. An e-mail address alone is no such claim:
 * providers let people enter any. The result holds no address of a person.
 */
import { type Claims, readMember } from './account.ts'
import type { Membership } from './social.ts'

const mostDomains = 20
const longestDomain = 253

/** The tenant of all personal Microsoft accounts. */
const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Google sets `hd` only for accounts of an organization, after it has verified the domain. */
export const readGoogleMembership = ({ hd }: Claims): Membership => {
  const domains = listDomains(hd)
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/**
 * `xms_edov` says that the tenant's owner has verified the e-mail domain; Graph says the same of the tenant itself.
 * `graph` is called only for members of an organization.
 */
export async function readMicrosoftMembership(claims: Claims, graph?: () => Promise<unknown>): Promise<Membership> {
  const { tid, oid, email, xms_edov: isDomainVerified, idp, iss, acct } = claims
  if (typeof tid !== 'string' || typeof oid !== 'string' || tid.toLowerCase() === consumerTenant)
    return { fault: 'NOT_AN_ORGANISATION' }
  // A guest signs in to a foreign tenant, whose domains are not the guest's.
  if ((idp !== undefined && idp !== iss) || acct === 1 || acct === '1') return { fault: 'NOT_A_MEMBER' }

  const isVouchedFor =
    isDomainVerified === true || isDomainVerified === 1 || /^(1|true)$/i.test(String(isDomainVerified))
  const ofEmail = isVouchedFor && typeof email === 'string' ? listDomains(email.slice(email.lastIndexOf('@') + 1)) : []
  const domains = [...ofEmail, ...(graph ? listVerifiedDomains(await graph(), tid) : [])]
  return domains.length > 0
    ? { domains: [...new Set(domains)].slice(0, mostDomains) }
    : { fault: 'DOMAIN_NOT_VOUCHED_FOR' }
}

/** Graph lists only verified domains. Microsoft's own default domains name no organization. */
function listVerifiedDomains(answer: unknown, tid: string): string[] {
  const organizations = readMember(answer, 'value')
  const own = Array.isArray(organizations)
    ? organizations.find((one) => String(readMember(one, 'id')).toLowerCase() === tid.toLowerCase())
    : undefined
  const listed = readMember(own, 'verifiedDomains')
  if (!Array.isArray(listed)) return []
  const usual = listed.filter((one) => readMember(one, 'isInitial') !== true)
  const byDefault = usual.filter((one) => readMember(one, 'isDefault') === true)
  return listDomains([...byDefault, ...usual].map((one) => readMember(one, 'name')))
}

/** The membership by the claim that the operator named. */
export const readClaimedMembership = (claims: Claims, claim: string): Membership => {
  const domains = listDomains(readMember(claims, claim))
  return domains.length > 0 ? { domains } : { fault: 'NOT_AN_ORGANISATION' }
}

/** Texts that may be domains. The verifier decides whether they are. */
const listDomains = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string' && one.length > 0 && one.length <= longestDomain)
    .slice(0, mostDomains)
