/**
 * The bill of materials of the executable, in CycloneDX 1.6: Bun and each package inside, as the lock file has them.
 * The same lock file gives the same text.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, LockedPackage>>

const modules = 'node_modules/'
/** A tool of the development too, but its runtime is most of the executable. */
const runtime = `${modules}bun`

export interface Released {
  readonly version: string
  /** When. */
  readonly seconds: number
  /** The version of the library that the build compiled into an executable, if any. */
  readonly libsecp256k1?: string | undefined
}

/** Text of sbom.cdx.json. */
export function writeSbom(root: string, { version, seconds, libsecp256k1 }: Released): string {
  const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages
  const inside = Object.keys(lock).filter((path) => path !== '' && isInside(path, lock[path]!))
  const components = new Map(inside.map((path) => [writePurl(path, lock[path]!), describeComponent(path, lock[path]!)]))
  const listRefs = (path: string): string[] => {
    const needed = Object.keys(lock[path]!.dependencies ?? {}).map((name) => findPackage(lock, path, name))
    const found = needed.filter((one): one is string => one !== undefined && inside.includes(one))
    return [...new Set(found.map((one) => writePurl(one, lock[one]!)))].sort()
  }
  const self = `pkg:generic/proofgate@${version}`
  const compiled = libsecp256k1 === undefined ? [] : [describeLibrary(libsecp256k1)]
  const dependencies = new Map(inside.map((path) => [writePurl(path, lock[path]!), listRefs(path)]))
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: makeSerialNumber([self, ...components.keys(), ...compiled.map(({ purl }) => purl)]),
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString().replace('.000', ''),
      component: {
        type: 'application',
        'bom-ref': self,
        name: 'proofgate',
        version,
        licenses: writeLicenses('Apache-2.0'),
        purl: self,
      },
    },
    components: [...components.values(), ...compiled],
    dependencies: [
      {
        ref: self,
        dependsOn: [
          ...new Set([...listRefs(''), writePurl(runtime, lock[runtime]!), ...compiled.map(({ purl }) => purl)]),
        ].sort(),
      },
      ...compiled.map(({ purl }) => ({ ref: purl, dependsOn: [] })),
      ...[...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ],
  }
  return `${JSON.stringify(bom, undefined, 2)}\n`
}

const isInside = (path: string, { dev, optional }: LockedPackage): boolean =>
  path === runtime || (dev !== true && optional !== true)

const readName = (path: string): string => path.slice(path.lastIndexOf(modules) + modules.length)

const writePurl = (path: string, { version }: LockedPackage): string =>
  `pkg:npm/${readName(path).replace('@', '%40')}@${version}`

function describeComponent(path: string, one: LockedPackage): object {
  const name = readName(path)
  const [group, rest] = name.startsWith('@') ? name.split('/') : []
  return {
    type: path === runtime ? 'platform' : 'library',
    'bom-ref': writePurl(path, one),
    ...(group === undefined ? { name } : { group, name: rest }),
    version: one.version,
    ...(one.integrity === undefined ? {} : { hashes: writeHashes(one.integrity) }),
    ...(one.license === undefined ? {} : { licenses: writeLicenses(one.license) }),
    purl: writePurl(path, one),
  }
}

function describeLibrary(version: string) {
  const purl = `pkg:generic/libsecp256k1@${version}`
  return { type: 'library', 'bom-ref': purl, name: 'libsecp256k1', version, licenses: writeLicenses('MIT'), purl }
}

/** Of the lock file: `sha512-` and base64. */
const writeHashes = (integrity: string): object[] =>
  integrity.split(' ').map((one) => {
    const [algorithm = '', digest = ''] = one.split('-', 2)
    return {
      alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
      content: Buffer.from(digest, 'base64').toString('hex'),
    }
  })

/** One license by its id of SPDX, or an expression of several. */
const writeLicenses = (license: string): object[] =>
  / (OR|AND|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }]

/** The package that an import of `name` by the package at `path` finds: the nearest one above it. */
function findPackage(lock: Lock, path: string, name: string): string | undefined {
  for (let from = path; ; from = from.slice(0, Math.max(0, from.lastIndexOf(`/${modules}`)))) {
    const candidate = `${from === '' ? '' : `${from}/`}${modules}${name}`
    if (candidate in lock) return candidate
    if (from === '') return undefined
  }
}

/** A UUID (version 8, of a hash), so that the same content has the same number. */
function makeSerialNumber(names: readonly string[]): string {
  const bytes = createHash('sha256').update(names.join('\n')).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = bytes.toString('hex')
  return `urn:uuid:${[
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([start, end]) => digits.slice(start, end))
    .join('-')}`
}
