/** Doctor's examination of a resolver: that it answers, that it reaches the root, and whether it validates. */
import type { Finding } from '../probe.ts'
import type { Question } from './message.ts'
import { isSilence, type Resolver } from './resolver.ts'

/** A signed name that is the same for everybody. */
const root: Question = { name: '.', type: 'NS' }

const mendNoRoot =
  'right for a server of private zones; any other must be able to reach the root, and let this server ask'

/** Errors: OutsideError when no readable answer comes back. */
export async function examine(resolver: Resolver, requiresDnssec: boolean): Promise<Finding> {
  const answer = await resolver.ask(root).catch(async (error) => {
    if (isSilence(error) && (await resolver.isThere())) return undefined
    throw error
  })
  if (!answer) return { level: 'warn', says: 'is there, and does not find the root in time', mend: mendNoRoot }
  if (answer.rcode !== 'NOERROR')
    return { level: 'warn', says: `answers ${answer.rcode} when it is asked for the root`, mend: mendNoRoot }
  if (answer.isAuthenticated) return { level: 'ok', says: 'answers, and validates (DNSSEC)' }
  if (!requiresDnssec) return { level: 'ok', says: 'answers, and does not validate (DNSSEC)' }
  return {
    level: 'warn',
    says: 'answers, and does not validate (DNSSEC), so that every claim would be refused',
    mend: 'use a resolver that validates, or set dns.require_dnssec to false',
  }
}
