/** Contradictions between two settings that are each valid. Checked only when every single setting is right. */
import type { TObject } from '@sinclair/typebox'
import { isSafeToSend } from './address.ts'
import { countVoices, describeShared, type EndpointPlace, locateEndpoints } from './endpoint-place.ts'
import type { Values } from './outline.ts'
import type { Contradiction } from './setting.ts'

interface ChainTable {
  readonly chain: string
  readonly rpc: readonly string[]
  readonly agree: number
  readonly agree_counts: 'hosts' | 'addresses'
  readonly proofs: boolean
}

/** Takes valid values, under the names of the file. */
export const listContradictions = (settings: TObject, values: Values): Contradiction[] => [
  ...checkAddresses(values),
  ...checkChains(values),
  ...checkVerifiers(values),
  ...checkDatabase(values),
  ...checkTables(settings, values),
]

/** Tables that know their own contradictions, as those of plug-ins do. */
const checkTables = ({ properties }: TObject, values: Values): Contradiction[] =>
  Object.entries(properties).flatMap(([name, table]) => {
    const found: readonly Contradiction[] = table.findContradictions?.(values[name]) ?? []
    return found.map(({ path, problem }) => ({ path: [name, ...path], problem }))
  })

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

interface DatabaseValues {
  readonly database: { readonly url?: string }
  readonly master_key?: string
  readonly backup: { readonly to?: string; readonly continuous: boolean }
}

/** Several servers on one database need one key, and none of them has a folder that is the only place of the data. */
function checkDatabase(values: Values): Contradiction[] {
  const { database, master_key: masterKey, backup } = values as unknown as DatabaseValues
  if (database.url === undefined) return []
  return [
    ...(masterKey === undefined
      ? [
          {
            path: ['master_key'],
            problem:
              'with database.url every server needs the same key, and none makes one: name a file with it in PROOFGATE_MASTER_KEY_FILE. It is the key of the other servers. Where a folder is moved, it is a copy of its master.key. For a new database it is the output of `openssl rand -hex 32`',
          },
        ]
      : []),
    ...(backup.to !== undefined || backup.continuous
      ? [
          {
            path: ['backup', backup.to === undefined ? 'continuous' : 'to'],
            problem:
              'backups of this kind are of the file in the data folder, and with database.url there is none: leave it out, and back up PostgreSQL (`proofgate backup FOLDER`, or pg_basebackup with its WAL)',
          },
        ]
      : []),
  ]
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
