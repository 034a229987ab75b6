/** Contradictions between two settings that are each valid. Checked only when every single setting is right. */
import { countVoices, describeShared, type EndpointPlace, locateEndpoints } from './endpoint-place.ts'
import type { Path, Values } from './outline.ts'
import { socialProviderWords } from './sections/social.ts'

export interface Contradiction {
  readonly path: Path
  /** The problem and its remedy, as one sentence without the name of the setting. */
  readonly problem: string
}

interface ChainTable {
  readonly chain: string
  readonly rpc: readonly string[]
  readonly agree: number
  readonly agree_counts: 'hosts' | 'addresses'
  readonly proofs: boolean
}

interface SocialTable {
  readonly provider: string
  readonly issuer?: string
  readonly org_claim?: string
  readonly [key: string]: unknown
}

/** Takes valid values, under the names of the file. */
export const listContradictions = (values: Values): Contradiction[] => [
  ...checkAddresses(values),
  ...checkChains(values),
  ...checkJudges(values),
  ...checkSocial(values),
  ...checkVerifiers(values),
]

const checkVerifiers = ({ verifiers }: Values): Contradiction[] => {
  const { enabled = [], disabled } = verifiers as {
    readonly enabled?: readonly string[]
    readonly disabled: readonly string[]
  }
  return disabled
    .filter((id) => enabled.includes(id))
    .map((id) => ({
      path: ['verifiers', 'disabled'],
      problem: `"${id}" stands in verifiers.enabled as well: take it out of one of the two`,
    }))
}

/** Tokens and sessions travel to these addresses: plain http is allowed only where no one can intercept. */
const checkAddresses = (values: Values): Contradiction[] =>
  ['base_url', 'auth_url', 'mcp_url'].flatMap((name) => {
    const address = values[name]
    if (typeof address !== 'string' || isSafeToSend(address)) return []
    const problem =
      'plain http would show tokens and sessions to everybody on the way: write https, and put a proxy with TLS before the server (http is for 127.0.0.1, [::1] and localhost)'
    return [{ path: [name], problem }]
  })

/** The list, and the earlier setting that names one. */
const judgeSettings = [
  ['risk', 'providers', 'provider'],
  ['moderation', 'text_providers', 'text'],
  ['moderation', 'image_providers', 'image'],
] as const

const checkJudges = (values: Values): Contradiction[] =>
  judgeSettings.flatMap(([section, many, one]) => {
    const table = values[section] as Readonly<Record<string, unknown>>
    return table[many] === undefined || table[one] === undefined
      ? []
      : [
          {
            path: [section, one],
            problem: `${section}.${many} says who judges already: leave ${one} out, and name the provider there`,
          },
        ]
  })

/** A name that people know, on something else, would make proofs say what is not so. */
function checkSocial({ social }: Values): Contradiction[] {
  return Object.entries(social as Record<string, SocialTable>).flatMap(([name, table]) => {
    const { provider } = table
    const path = ['social', name]
    const isOtherName = provider !== name && provider !== 'oidc' && isProvider(name)
    const unsafe = Object.keys(table).filter((key) => {
      const value = table[key]
      return typeof value === 'string' && value.startsWith('http:') && !isSafeToSend(value)
    })
    return [
      ...(isOtherName
        ? [
            {
              path: [...path, 'provider'],
              problem: `a table of the name ${name} would show ${provider} accounts as accounts of ${name}: give the table another name`,
            },
          ]
        : []),
      ...(provider === 'oidc' && table.issuer === undefined
        ? [{ path: [...path, 'provider'], problem: 'oidc needs to know whose: set issuer as well' }]
        : []),
      ...(provider !== 'oidc' && table.org_claim !== undefined
        ? [
            {
              path: [...path, 'org_claim'],
              problem: `it is for provider = "oidc": what shows an organisation of ${provider} is built in`,
            },
          ]
        : []),
      ...unsafe.map((key) => ({
        path: [...path, key],
        problem:
          'plain http would show secrets and tokens to everybody on the way: write https (http is for 127.0.0.1, [::1] and localhost)',
      })),
    ]
  })
}

const isProvider = (name: string): boolean => (socialProviderWords as readonly string[]).includes(name)

const isSafeToSend = (address: string): boolean =>
  address.startsWith('https:') || isLoopbackHost(new URL(address).hostname.replace(/^\[|\]$/g, ''))

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)

function checkChains({ chains }: Values): Contradiction[] {
  const entries = Object.entries(chains as Record<string, ChainTable>)
  return entries.flatMap(([name, { chain, rpc, agree, agree_counts: counts, proofs }], position) => {
    const earlier = entries.slice(0, position).find(([, other]) => other.chain === chain)?.[0]
    const places = locateEndpoints({ rpc, counts })
    return [
      ...places.flatMap(({ index, repeats }) =>
        repeats === undefined
          ? []
          : [
              {
                path: ['chains', name, 'rpc', index],
                problem: `rpc[${index}] repeats rpc[${repeats}], and one endpoint is not asked twice: remove it, or give the address of another endpoint`,
              },
            ],
      ),
      ...explainTooFew(places, agree, counts).map((problem) => ({ path: ['chains', name, 'agree'], problem })),
      ...(proofs && !chain.startsWith('eip155:')
        ? [
            {
              path: ['chains', name, 'proofs'],
              problem: `${chain} has no proofs of its state that anybody could check: leave proofs out (it is for EVM chains)`,
            },
          ]
        : []),
      ...(earlier === undefined
        ? []
        : [
            {
              path: ['chains', name, 'chain'],
              problem: `chains.${earlier} is ${chain} already: put the addresses of both into one rpc`,
            },
          ]),
    ]
  })
}

/** Addresses may hold keys, so entries are named by their numbers. */
function explainTooFew(places: readonly EndpointPlace[], agree: number, counts: 'hosts' | 'addresses'): string[] {
  const voices = countVoices(places)
  if (agree <= voices) return []
  const shared = describeShared(places)
  if (shared === undefined)
    return [`${agree} endpoints cannot agree where rpc has ${places.length}: add addresses to rpc, or lower agree`]
  const mayCount = counts === 'hosts' && places.some(({ repeats, sharesVoice }) => repeats !== sharesVoice)
  return [
    `${agree} endpoints cannot agree where only ${voices === 1 ? '1 counts' : `${voices} count`} (${shared}): add addresses of other hosts to rpc, or lower agree${mayCount ? '; agree_counts = "addresses" is for one host that leads to different nodes' : ''}`,
  ]
}
