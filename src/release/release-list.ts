/**
 * The signed list of releases, and what its signatures say. src/guides/upgrading.md describes the form.
 *
 * The trusted comment of a signature says what was signed: without it an old list, or the file of another machine, could
 * be served under a true signature.
 */
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A list, or what it leads to, cannot be used. The message is a sentence for people. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError'
}

const versionPattern = '^(0|[1-9][0-9]{0,5})(\\.(0|[1-9][0-9]{0,5})){2}$'

const File = Type.Object({
  /** Relative to the address of the list, or absolute. */
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  size: Type.Integer({ minimum: 1, maximum: 2_000_000_000 }),
})

const Release = Type.Object({
  version: Type.String({ pattern: versionPattern }),
  date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
  severity: Type.Union([Type.Literal('security'), Type.Literal('normal')]),
  notes: Type.Optional(Type.String({ pattern: '^https?://[\\x21-\\x7e]+$', maxLength: 2000 })),
  files: Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,40}$' }), File, { additionalProperties: false }),
})

const List = Type.Object({
  format: Type.Literal('proofgate-releases-1'),
  /** Grows with every list. A list with a smaller one than was seen is an old one. */
  serial: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  date: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$' }),
  releases: Type.Array(Release, { minItems: 1, maxItems: 1000 }),
})

export type ReleaseFile = Static<typeof File>
export type Release = Static<typeof Release>
export type ReleaseList = Static<typeof List>

export const compareVersions = (one: string, other: string): number => Bun.semver.order(one, other)

/** Members that a later version adds are ignored. Errors: ReleaseError. */
export function parseReleaseList(text: string): ReleaseList {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw new ReleaseError('the list of releases is no JSON')
  }
  const fault = Value.Errors(List, list).First()
  if (fault)
    throw new ReleaseError(`the list of releases has a wrong ${fault.path.slice(1) || 'form'}: ${fault.message}`)
  const { releases } = list as ReleaseList
  if (new Set(releases.map(({ version }) => version)).size < releases.length)
    throw new ReleaseError('the list of releases names a version twice')
  return list as ReleaseList
}

export const writeReleaseList = (list: ReleaseList): string => `${JSON.stringify(list, undefined, 2)}\n`

/** The trusted comment of a list's signature. */
export const writeListComment = ({ serial, date }: Pick<ReleaseList, 'serial' | 'date'>): string =>
  `proofgate releases, serial ${serial}, ${date}`

/** The trusted comment of a file's signature. */
export const writeFileComment = (version: string, target: string): string => `proofgate ${version} ${target}`

export interface Comparison {
  readonly newest: Release
  /** Whether the newest one is newer than the running one. */
  readonly isNewer: boolean
  /** The first of the releases since the running one that mends something unsafe. */
  readonly security: Release | undefined
}

export function compareReleases({ releases }: ReleaseList, running: string): Comparison {
  const sorted = releases.toSorted((one, other) => compareVersions(one.version, other.version))
  const newest = sorted.at(-1)!
  return {
    newest,
    isNewer: compareVersions(newest.version, running) > 0,
    security: sorted.find(({ version, severity }) => severity === 'security' && compareVersions(version, running) > 0),
  }
}
