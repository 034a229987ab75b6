/** `npm run release`: what is published of a version, into one folder, with checksums and signatures. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Glob } from 'bun'
import { version } from '../../package.json' with { type: 'json' }
import { signContent } from '../release/minisign.ts'
import { parsePublicKey, writeKeyId, writePublicKeyLine } from '../release/minisign-text.ts'
import { derivePublicKey, parseSecretKey, type SecretKey } from '../release/secret-key.ts'
import { writeTar } from './archive.ts'
import { buildDeb, isDebTarget, nameDeb } from './deb.ts'
import { buildExecutable } from './executable.ts'
import { writeNotices } from './notices.ts'
import { writeSbom } from './sbom.ts'
import { isTarget, nameFile, type Target, targets } from './targets.ts'

const root = join(import.meta.dir, '../..')

const madeHere = /^(proofgate[-_]\d|SHA256SUMS|THIRD-PARTY-NOTICES)/

const help = `bun src/build/release.ts all | TARGET… [--out FOLDER] [--key FILE] [--fast]

  all | TARGET…   every machine, or some: ${targets.join(', ')}
  --out FOLDER    where to write; dist/release unless named. Files of an older release there are deleted
  --key FILE      a secret key of minisign: signs each file and SHA256SUMS. Its passphrase, if it
                  has one, is in RELEASE_PASSPHRASE. Its public half is built into the executables,
                  which accept only successors that it signed
  --public-key FILE  build in this public key in place of that: where files are signed elsewhere, or
                  where the next releases will have another key
  --fast          compress packages less

SOURCE_DATE_EPOCH sets the time of files in archives, so that the same sources give the same bytes.
`

process.exitCode = await runRelease(process.argv.slice(2))

async function runRelease(args: readonly string[]): Promise<number> {
  let parsed: ReturnType<typeof readArguments>
  try {
    parsed = readArguments(args)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`)
    return 2
  }
  const { wanted, folder, key, releaseKey, compression } = parsed
  mkdirSync(folder, { recursive: true })
  // Files of the release before. The list of releases goes on from its own (list-release.ts), and others are not ours.
  for (const name of readdirSync(folder)) if (madeHere.test(name)) rmSync(join(folder, name))
  const seconds = Number(process.env.SOURCE_DATE_EPOCH) || Math.floor(Date.now() / 1000)
  const notices = writeNotices(root)
  /** Each file, and what its signature says that it is. */
  const made = new Map<string, string>()
  const write = (name: string, content: Uint8Array | string, what = name, mode = 0o644): void => {
    writeFileSync(join(folder, name), content, { mode })
    made.set(name, what)
    console.log(`${relative(process.cwd(), join(folder, name))}`.padEnd(60), `${(content.length / 1e6).toFixed(1)} MB`)
  }

  let libsecp256k1: string | undefined
  for (const target of wanted) {
    const { file, recovery } = await buildExecutable(target, { folder, releaseKey })
    libsecp256k1 ??= recovery.version
    console.log(`${target}: ${recovery.note}`)
    const executable = readFileSync(file)
    rmSync(file)
    write(nameReleased(target), executable, target, 0o755)
    if (isDebTarget(target)) {
      const parts = { root, target, executable, notices, version, seconds, compression }
      write(nameDeb(parts), buildDeb(parts))
    }
  }
  write(`proofgate-${version}-packaging.tar.gz`, gzipSync(await archivePackaging(seconds), { level: 9 }))
  write(`proofgate-${version}.cdx.json`, writeSbom(root, { version, seconds, libsecp256k1 }))
  write('THIRD-PARTY-NOTICES.txt', notices)

  const sums = [...made.keys()].sort().map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  )
  write('SHA256SUMS', sums.join(''))
  if (key) for (const [name, what] of made) signFile(join(folder, name), what, key)
  console.log(key ? `signed ${made.size} files` : 'not signed: --key FILE signs them')
  console.log(describeReleaseKey(releaseKey, key))
  return 0
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      out: { type: 'string' },
      key: { type: 'string' },
      'public-key': { type: 'string' },
      fast: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const unknown = positionals.find((name) => name !== 'all' && !isTarget(name))
  if (unknown !== undefined) throw new Error(`There is no target "${unknown}".`)
  if (positionals.length === 0) throw new Error('Name the machines to release for.')
  // Before anything is built: a wrong passphrase would be told after minutes.
  const key =
    values.key === undefined
      ? undefined
      : parseSecretKey(readFileSync(values.key, 'utf8'), process.env.RELEASE_PASSPHRASE)
  const named = values['public-key']
  const publicKey = named === undefined ? key && derivePublicKey(key) : parsePublicKey(readFileSync(named, 'utf8'))
  return {
    wanted: positionals.includes('all') ? targets : [...new Set(positionals.filter(isTarget))],
    folder: values.out ?? join(root, 'dist/release'),
    key,
    releaseKey: publicKey && writePublicKeyLine(publicKey),
    compression: values.fast ? 1 : 9,
  }
}

function describeReleaseKey(releaseKey: string | undefined, key: SecretKey | undefined): string {
  if (releaseKey === undefined)
    return 'no key is built in: self-update needs updates.public_key in the configuration. --key or --public-key builds one in'
  const { keyId } = parsePublicKey(releaseKey)
  const isOther = key && !Buffer.from(key.keyId).equals(Buffer.from(keyId))
  return `built in: the public key ${writeKeyId(keyId)}${isOther ? `, which is not the one of these signatures (${writeKeyId(key.keyId)}): the next release has to be signed with it` : ''}`
}

/** With the version, so that files of two releases can be in one folder. */
function nameReleased(target: Target): string {
  return nameFile(target).replace('proofgate-', `proofgate-${version}-`)
}

/** What an installation without a package needs: the unit, the container, the recipes of proxies. */
async function archivePackaging(seconds: number): Promise<Uint8Array> {
  const folder = join(root, 'src/packaging')
  const names = [...new Glob('**/*').scanSync({ cwd: folder })].filter((name) => !name.startsWith('debian/'))
  const files = names.map((name) => ({ path: name, content: readFileSync(join(folder, name)) }))
  const others = ['LICENSE', 'config.example.toml'].map((name) => ({
    path: name,
    content: readFileSync(join(root, name)),
  }))
  return writeTar([...files, ...others], { seconds, base: `proofgate-${version}/` })
}

/** The trusted comment names version and machine, so that no other file can be served under this signature. */
function signFile(file: string, what: string, key: SecretKey): void {
  writeFileSync(`${file}.minisig`, signContent({ file }, key, { trusted: `proofgate ${version} ${what}` }))
}
