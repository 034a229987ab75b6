/**
 * Follows the aliases (CNAME) of a name that a resolver gave up on (SERVFAIL). For records behind them, a loop of
 * aliases looks like name servers that do not answer. A query for the alias itself makes the resolver follow nothing.
 */
import { OutsideError } from '../failure.ts'
import { type Alias, type AnswerRecord, isSameName, showName } from './message.ts'
import type { Resolver } from './resolver.ts'

export interface AliasPath {
  /** The last name that was found. Undefined for a loop. */
  readonly end: string | undefined
  readonly isAuthenticated: boolean
}

const isAlias = (record: AnswerRecord): record is Alias => record.type === 'CNAME'

/** Resolvers follow about as many. */
const mostHops = 8

/** Undefined when the name is no alias, or when even that cannot be found out. */
export async function followAliases(resolver: Resolver, name: string): Promise<AliasPath | undefined> {
  const names = [name]
  let isAuthenticated = true
  while (names.length <= mostHops) {
    const owner = names.at(-1)!
    const answer = await resolver.ask({ name: owner, type: 'CNAME' }).catch((error: unknown) => {
      if (error instanceof OutsideError) return undefined
      throw error
    })
    const alias = answer?.rcode === 'NOERROR' ? answer.records.find(isAlias) : undefined
    if (!answer || !alias || !isSameName(alias.name, owner)) break
    isAuthenticated &&= answer.isAuthenticated
    if (names.some((one) => isSameName(one, alias.target))) return { end: undefined, isAuthenticated }
    names.push(alias.target)
  }
  return names.length > 1 ? { end: showName(names.at(-1)!), isAuthenticated } : undefined
}
