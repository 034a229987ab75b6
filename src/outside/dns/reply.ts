/** Interprets an answer of a resolver: records, "there is none", or unknown. */
import { OutsideError } from '../failure.ts'
import type { AliasPath } from './alias.ts'
import type { TxtOutcome } from './dns.ts'
import { type Alias, type Answer, type AnswerRecord, isBelow, isSameName, showName } from './message.ts'

/** Errors: OutsideError for every answer that is neither records nor a denial. */
export function readTxtOutcome(answer: Answer, name: string, setting: string): TxtOutcome {
  requireKnown(answer, setting)
  const { aliases, owner, isCircle } = followAliases(answer.records, name)
  const found = answer.records
    .filter((record) => record.type === 'TXT')
    .filter((record) => isSameName(record.name, owner))
  const { isAuthenticated } = answer
  const said = {
    isAuthenticated,
    ...(aliases.length > 0
      ? { alias: { end: isCircle ? undefined : showName(owner), ...findDelegation(answer.records, name) } }
      : {}),
  }
  if (isCircle) return { outcome: 'no-records', ...said }
  if (answer.rcode === 'NXDOMAIN') return { outcome: 'no-such-name', ...said }
  if (found.length > 0)
    return {
      outcome: 'records',
      records: found.map(({ text }) => text),
      ttlSeconds: Math.min(...[...found, ...aliases].map(({ ttlSeconds }) => ttlSeconds)),
      ...said,
    }
  // A server that follows no aliases out of its zones answers like one without records. Only the SOA differs.
  if (aliases.length > 0 && !answer.hasStartOfAuthority)
    throw new OutsideError(
      'malformed',
      setting,
      `gave an alias (CNAME) to ${showName(owner)} without saying what is there`,
      'use a resolver that follows aliases: a recursive one',
    )
  return { outcome: 'no-records', ...said }
}

function requireKnown({ rcode, isFromSomebodyWhoKnows }: Answer, setting: string): void {
  if (rcode === 'SERVFAIL')
    throw new OutsideError(
      'unreachable',
      setting,
      'answered SERVFAIL: the name servers of the domain, or of an alias (CNAME) in it, do not answer, or its DNSSEC signatures are wrong',
      'ask for the same name with another resolver; if that one fails as well, the fault is with the domain',
    )
  if (rcode === 'REFUSED')
    throw new OutsideError(
      'wrong-source',
      setting,
      'answered REFUSED',
      'let the resolver answer this server, or use another one',
    )
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN')
    throw new OutsideError('malformed', setting, `answered ${rcode}`, 'use a resolver that knows EDNS (RFC 6891)')
  if (!isFromSomebodyWhoKnows)
    throw new OutsideError(
      'wrong-source',
      setting,
      'points to other servers and does not ask them itself',
      'use a recursive resolver, not a name server of other zones',
    )
}

/** A DNAME makes the aliases of all names below its own (RFC 6672): none of them can be removed alone. */
function findDelegation(records: readonly AnswerRecord[], name: string) {
  const found = records.find((record) => record.type === 'DNAME' && isBelow(name, record.name))
  return found ? { delegatedAt: showName(found.name) } : {}
}

/**
 * Explains a name that is an alias and that the resolver gave up on. Errors: OutsideError, unless the aliases form a
 * loop, which no waiting changes.
 */
export function explainAlias({ end, isAuthenticated }: AliasPath, name: string, setting: string): TxtOutcome {
  if (end === undefined) return { outcome: 'no-records', isAuthenticated, alias: { end } }
  throw new OutsideError(
    'unreachable',
    setting,
    `answered SERVFAIL: ${name} is a CNAME that leads to ${end}, whose name servers do not answer, or whose DNSSEC signatures are wrong; the owner of the domain can replace the CNAME by the TXT record, or mend that zone`,
    'ask for the same name with another resolver; if that one fails as well, the fault is with the domain',
  )
}

/** From the name along the aliases of the answer (RFC 1034 section 3.6.2). Records of any other name do not count. */
function followAliases(records: readonly AnswerRecord[], name: string) {
  const aliases: Alias[] = []
  let owner = name
  for (;;) {
    const alias = records.find((record): record is Alias => record.type === 'CNAME' && isSameName(record.name, owner))
    if (!alias) return { aliases, owner, isCircle: false }
    if (aliases.includes(alias)) return { aliases, owner, isCircle: true }
    aliases.push(alias)
    owner = alias.target
  }
}
