/**
 * Whether two servers have the same settings, without telling any: the database has a digest of each table of settings,
 * under the master key that both have. Whoever reads the database cannot try passwords on it.
 */
import { createHmac } from 'node:crypto'
import type { Config } from '../config/schema.ts'

/** Tables and settings that may differ: they belong to a machine, its network or its files, or change no answer. */
const ofEachMachine: readonly string[] = [
  'host',
  'port',
  'data',
  'masterKey',
  'database',
  'backup',
  'log',
  'metrics',
  'outside',
  'proxy',
  'server',
  'storage',
  'sweep',
  'updates',
] satisfies readonly (keyof Config)[]

/** Members of other tables: the nodes of a chain, the machines that watch, the name of a file. */
const membersOfEachMachine: readonly string[] = ['rpc', 'monitors', 'denyList']

const digestBytes = 6

/** `config`: of a server that shares its database. A JSON object of digests by the names in proofgate.toml. */
export function writeSettingsMark(config: Config, masterKey: Uint8Array): string {
  const { host, port, baseUrl = `http://${host}:${port}` } = config
  const compared = Object.entries({ ...config, baseUrl }).filter(([name]) => !ofEachMachine.includes(name))
  const digest = (value: unknown): string =>
    createHmac('sha256', masterKey)
      .update(`proofgate settings ${writeSorted(value)}`)
      .digest()
      .subarray(0, digestBytes)
      .toString('base64url')
  return JSON.stringify(Object.fromEntries(compared.map(([name, value]) => [writeName(name), digest(value)]).sort()))
}

/** The names of what differs, in order. Null differs in nothing. */
export function listDifferences(one: string | null, other: string | null): readonly string[] {
  if (one === null || other === null) return []
  const [ours, theirs] = [one, other].map((mark) => JSON.parse(mark) as Readonly<Record<string, string>>)
  return Object.keys({ ...ours, ...theirs })
    .filter((name) => ours![name] !== theirs![name])
    .sort()
}

const writeName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** In one order, because a file may name settings in any. */
const writeSorted = (value: unknown): string =>
  JSON.stringify(value, (name, member) =>
    membersOfEachMachine.includes(name)
      ? undefined
      : member !== null && typeof member === 'object' && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  ) ?? ''
