/** The Debian package. It is written here, so that it can be built on every machine. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Glob } from 'bun'
import { type ArchivedFile, writeAr, writeTar } from './archive.ts'
import type { Target } from './targets.ts'

/** The name of each machine in Debian. Packages are for those with glibc. */
export const debianArchitectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const satisfies Partial<
  Record<Target, string>
>
export type DebTarget = keyof typeof debianArchitectures

export const isDebTarget = (target: string): target is DebTarget => target in debianArchitectures

export interface DebParts {
  /** The repository. */
  readonly root: string
  readonly target: DebTarget
  readonly executable: Uint8Array
  readonly notices: string
  readonly version: string
  /** The time of every file in the package, in seconds. */
  readonly seconds: number
  /** From 1, fast, to 9, small. */
  readonly compression?: number
}

/** As Debian orders versions: 1.0.0~rc.1 comes before 1.0.0. */
const writeDebianVersion = (version: string): string => version.replace('-', '~')

export const nameDeb = ({ target, version }: Pick<DebParts, 'target' | 'version'>): string =>
  `proofgate_${writeDebianVersion(version)}_${debianArchitectures[target]}.deb`

export function buildDeb(parts: DebParts): Uint8Array {
  const { seconds, compression = 9 } = parts
  const files = listFiles(parts)
  const compress = (archive: Uint8Array): Uint8Array => gzipSync(archive, { level: compression })
  const control = listControlFiles(parts, files)
  return writeAr(
    [
      { name: 'debian-binary', content: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', content: compress(writeTar(control, { seconds, base: './' })) },
      { name: 'data.tar.gz', content: compress(writeTar(files, { seconds, base: './' })) },
    ],
    seconds,
  )
}

const settingsFile = 'etc/proofgate/proofgate.toml'
const documents = 'usr/share/doc/proofgate'

function listFiles({ root, executable, notices, version, seconds }: DebParts): readonly ArchivedFile[] {
  const read = (path: string): Buffer => readFileSync(join(root, path))
  const gzip = (text: string | Uint8Array): Uint8Array => gzipSync(text, { level: 9 })
  const changelog = [
    `proofgate (${writeDebianVersion(version)}) stable; urgency=medium`,
    '',
    `  * Proofgate ${version}.`,
    '',
    ` -- ${maintainer}  ${new Date(seconds * 1000).toUTCString().replace('GMT', '+0000')}`,
    '',
  ].join('\n')
  return [
    { path: 'usr/bin/proofgate', content: executable, mode: 0o755 },
    { path: 'usr/lib/systemd/system/proofgate.service', content: read('src/packaging/systemd/proofgate.service') },
    // It may hold secrets.
    { path: settingsFile, content: read('src/packaging/debian/proofgate.toml'), mode: 0o640 },
    { path: 'usr/share/man/man1/proofgate.1.gz', content: gzip(read('src/packaging/debian/proofgate.1')) },
    { path: 'usr/share/lintian/overrides/proofgate', content: read('src/packaging/debian/lintian-overrides') },
    { path: `${documents}/copyright`, content: read('src/packaging/debian/copyright') },
    { path: `${documents}/changelog.gz`, content: gzip(changelog) },
    { path: `${documents}/THIRD-PARTY-NOTICES.txt.gz`, content: gzip(notices) },
    { path: `${documents}/examples/config.example.toml`, content: read('config.example.toml') },
    ...listExamples(root).map((name) => ({
      path: `${documents}/examples/${name}`,
      content: read(`src/packaging/${name}`),
    })),
  ]
}

/** Recipes for proxies and monitors. What the package installs itself is none of them, nor is the container. */
const listExamples = (root: string): readonly string[] =>
  [...new Glob('*/**/*').scanSync({ cwd: join(root, 'src/packaging') })].filter(
    (name) => !/^(debian|systemd)\//.test(name),
  )

const maintainer = 'Proofgate maintainers <maintainers@proofgate.example>'

function listControlFiles({ root, target, version }: DebParts, files: readonly ArchivedFile[]): ArchivedFile[] {
  const kilobytes = files.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 1024), 0)
  const control = [
    'Package: proofgate',
    `Version: ${writeDebianVersion(version)}`,
    `Architecture: ${debianArchitectures[target]}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kilobytes}`,
    'Depends: adduser, libc6 (>= 2.31), libgcc-s1, libstdc++6',
    'Section: web',
    'Priority: optional',
    'Description: portable proofs and the gates they open',
    ' Wallet-signed claims become portable proofs, and proofs become access.',
    ' One server with one data folder, which needs no other service.',
    '',
  ].join('\n')
  const sums = files.map(({ path, content }) => `${createHash('md5').update(content).digest('hex')}  ${path}\n`)
  const scripts = ['postinst', 'prerm', 'postrm'].map((path) => ({
    path,
    content: readFileSync(join(root, 'src/packaging/debian', path)),
    mode: 0o755,
  }))
  return [
    { path: 'control', content: control },
    { path: 'conffiles', content: `/${settingsFile}\n` },
    {
      path: 'md5sums',
      content: sums
        .filter((line) => !line.endsWith(`  ${settingsFile}\n`))
        .sort()
        .join(''),
    },
    ...scripts,
  ]
}
