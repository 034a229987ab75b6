/** One entry of dns.resolvers: a resolver, or the name servers of the system in their order. */
import { OutsideError } from '../failure.ts'
import type { CallPolicy } from '../http/endpoint.ts'
import type { Finding } from '../probe.ts'
import { followAliases } from './alias.ts'
import { askNameServer } from './datagram.ts'
import type { TxtAnswer } from './dns.ts'
import { examine } from './examine.ts'
import { type NameServer, parseNameServer, readSystemNameServers } from './name-server.ts'
import { explainAlias, readTxtOutcome } from './reply.ts'
import { openResolver, type Resolver } from './resolver.ts'

export interface Source {
  /** Path of the setting: `dns.resolvers[0]`. */
  readonly setting: string
  /** Errors: OutsideError. */
  txt(name: string): Promise<TxtAnswer>
  /** For doctor. Errors: OutsideError. */
  examine(requiresDnssec: boolean): Promise<Finding>
}

/** Makes no call. */
export function openSource(text: string, setting: string, policy: CallPolicy): Source {
  if (text === 'system')
    return makeChangingSource(setting, policy, () => readSystemNameServers(setting, '/etc/resolv.conf'))
  if (!text.startsWith('https://')) return nameServerSource(parseNameServer(text), setting, policy)
  const url = new URL(text)
  return makeResolverSource(
    openResolver(setting, (question, attempt) => askOverHttpsLazily(url, policy.guard, question, attempt), policy),
  )
}

/** Loaded on demand: otherwise every start would pay for HTTP/2 and TLS. */
const askOverHttpsLazily: typeof import('./https.ts').askOverHttps = async (...asked) =>
  (await import('./https.ts')).askOverHttps(...asked)

const makeResolverSource = (resolver: Resolver): Source => ({
  setting: resolver.setting,
  async txt(name) {
    const answer = await resolver.ask({ name, type: 'TXT' })
    const path = answer.rcode === 'SERVFAIL' ? await followAliases(resolver, name) : undefined
    const said = path ? explainAlias(path, name, resolver.setting) : readTxtOutcome(answer, name, resolver.setting)
    return { ...said, source: resolver.setting }
  },
  examine: (requiresDnssec) => examine(resolver, requiresDnssec),
})

const nameServerSource = (server: NameServer, setting: string, policy: CallPolicy): Source =>
  makeResolverSource(openResolver(setting, (question, attempt) => askNameServer(server, question, attempt), policy))

/** Name servers that are looked up for each question, because they change with the network. Asked in their order. */
export function makeChangingSource(
  setting: string,
  policy: CallPolicy,
  nameServers: () => Promise<readonly NameServer[]>,
): Source {
  let known = new Map<string, Source>()
  /** By their addresses. A known server keeps its state, and is skipped while it is down. */
  async function readCurrentSources(): Promise<ReadonlyMap<string, Source>> {
    const servers = await nameServers()
    known = new Map(
      servers.map((server) => {
        const address = `${server.host} port ${server.port}`
        return [address, known.get(address) ?? nameServerSource(server, setting, policy)]
      }),
    )
    return known
  }
  return {
    setting,
    txt: async (name) => askFirst(setting, [...(await readCurrentSources()).values()], name),
    async examine(requiresDnssec) {
      const findings = await Promise.all(
        [...(await readCurrentSources())].map(async ([address, source]) => ({
          address,
          ...(await source.examine(requiresDnssec).catch(makeFailureFinding)),
        })),
      )
      const bad = findings.find(({ level }) => level !== 'ok')
      const isAnyOfUse = findings.some(({ level }) => level !== 'fail')
      return {
        level: bad ? (isAnyOfUse ? 'warn' : 'fail') : 'ok',
        says: findings.map(({ address, says }) => `${address} ${says}`).join('; '),
        ...(bad?.mend ? { mend: bad.mend } : {}),
      }
    },
  }
}

function makeFailureFinding(error: unknown): Finding {
  if (!(error instanceof OutsideError)) throw error
  return { level: 'fail', says: error.happened, mend: error.mend }
}

/** A denial is an answer: only an unknown result moves on to the next server. Errors: OutsideError. */
export async function askFirst(setting: string, sources: readonly Source[], name: string): Promise<TxtAnswer> {
  const failures: OutsideError[] = []
  for (const source of sources)
    try {
      return await source.txt(name)
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      failures.push(error)
    }
  const [first, ...more] = failures
  if (!first) throw new Error('nobody to ask')
  if (more.length === 0) throw first
  throw new OutsideError(
    first.fault,
    setting,
    `gave no answer (${failures.map(({ source, happened }) => `${source} ${happened}`).join('; ')})`,
    [...new Set(failures.map(({ mend }) => mend))].join('; '),
    Math.max(...failures.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  )
}
