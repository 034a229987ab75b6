/**
 * Reads a backup from its beginning to its end, and checks everything that it says of itself: order, names, sizes,
 * hashes, seals, and that nothing is missing.
 */
import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { feedTar } from '../feed-tar.ts'
import { BackupError, DamagedBackupError } from './fault.ts'
import {
  checkName,
  Header,
  headerName,
  Manifest,
  type MemberEntry,
  manifestName,
  nameMember,
  nameSecret,
  type PiecedFile,
  pieceBytes,
  piecedFiles,
  readJson,
  type SecretFile,
  secretFiles,
} from './format.ts'
import { type BackupSealer, hashManifest, openBackupSealer } from './sealing.ts'

/** Loads with the first archive. */
const loadTar = () => require('tar-stream') as typeof import('tar-stream')

export interface Receiver {
  /** Called first, before anything is written. Throws to refuse. */
  begin?(header: Header): void | Promise<void>
  /** The next bytes of a file. */
  takePiece(file: PiecedFile, bytes: Uint8Array): void | Promise<void>
  takeSecret?(file: SecretFile, bytes: Uint8Array): void
}

/** Seals and padding around a piece that zstd cannot make smaller. */
const longestMemberBytes = pieceBytes + 65_536
const longestManifestBytes = 64 * 1_048_576

/** `passphrase` is needed for a sealed backup. Errors: BackupError, those of the receiver and of the source. */
export async function readArchive(
  source: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
  receiver: Receiver,
): Promise<Manifest> {
  const reading = new Reading(passphrase, receiver)
  try {
    for await (const { name, content } of readMembers(source)) await reading.take(name, content)
  } catch (error) {
    // The library tells the form of the file, not of a backup.
    const form = error instanceof Error ? /^(Invalid tar|Unexpected end|invalid)/i.exec(error.message)?.[1] : undefined
    if (form === undefined) throw error
    if (!reading.header) throw makeForeign()
    throw form.startsWith('Unexpected') ? makeCutOff() : makeBroken()
  }
  return reading.finish()
}

/** The members of a tar stream, each whole. Errors: BackupError for one of an impossible size. */
async function* readMembers(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ name: string; content: Buffer }> {
  const tar = loadTar().extract()
  let failed: unknown
  const feeding = feedTar(tar, source).catch((error) => {
    failed = error
    tar.destroy(error as Error)
  })
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header
      if (type !== 'file') throw makeForeign()
      if (size > (name === manifestName ? longestManifestBytes : longestMemberBytes))
        throw new DamagedBackupError(
          `the member ${JSON.stringify(name.slice(0, 100))} of the backup claims ${size} bytes, more than any has`,
          'use another backup: this one is damaged or was made by another program',
        )
      const parts: Uint8Array[] = []
      for await (const part of entry) parts.push(part as Uint8Array)
      yield { name, content: Buffer.concat(parts) }
    }
  } catch (error) {
    throw failed ?? error
  } finally {
    tar.destroy()
    await feeding
  }
}

/** What was read so far, and what may come next. */
class Reading {
  header: Header | undefined
  private sealer: BackupSealer | undefined
  private manifest: { readonly text: string; readonly value: Manifest } | undefined
  private isChecked = false
  private readonly members: MemberEntry[] = []
  private readonly next: Record<PiecedFile, number> = { 'proofgate.sqlite-wal': 0, 'proofgate.sqlite': 0 }
  private readonly taken: Record<PiecedFile, number> = { 'proofgate.sqlite-wal': 0, 'proofgate.sqlite': 0 }

  constructor(
    private readonly passphrase: string | undefined,
    private readonly receiver: Receiver,
  ) {}

  async take(name: string, content: Buffer): Promise<void> {
    if (this.isChecked) throw makeOutOfPlace(name)
    if (name === headerName && this.members.length === 0) return this.begin(content)
    if (!this.header) throw makeForeign()
    if (name === checkName && this.manifest) return this.check(content.toString(), this.manifest.text)
    if (name === manifestName && !this.manifest) {
      this.manifest = { text: content.toString(), value: readJson(Manifest, content.toString(), manifestName) }
      return
    }
    if (this.manifest) throw makeOutOfPlace(name)
    this.note(name, content)
    const file = piecedFiles.find((one) => name === nameMember(one, this.next[one], this.sealer !== undefined))
    if (file) return this.takePiece(file, name, content)
    const secret = secretFiles.find((one) => name === nameSecret(one))
    if (!secret || !this.sealer) throw makeOutOfPlace(name)
    this.receiver.takeSecret?.(secret, this.open(content, name))
  }

  finish(): Manifest {
    if (!this.header) throw makeForeign()
    if (!this.manifest || !this.isChecked) throw makeCutOff()
    const { value } = this.manifest
    if (JSON.stringify(value.members) !== JSON.stringify(this.members))
      throw new DamagedBackupError(
        'the manifest of the backup lists other members than the backup has',
        'use another backup: this one was put together from parts, or is damaged',
      )
    if (JSON.stringify(value.header) !== JSON.stringify(this.header))
      throw new DamagedBackupError('header.json and manifest.json of the backup contradict each other', useAnother)
    for (const [file, bytes] of [
      ['proofgate.sqlite', this.header.databaseBytes],
      ['proofgate.sqlite-wal', this.header.logBytes],
    ] as const)
      if (this.taken[file] !== bytes)
        throw new DamagedBackupError(
          `the backup holds ${this.taken[file]} bytes of ${file}, and its header promises ${bytes}`,
          useAnother,
        )
    return value
  }

  private async begin(content: Buffer): Promise<void> {
    this.note(headerName, content)
    const header = readJson(Header, content.toString(), headerName)
    this.header = header
    await this.receiver.begin?.(header)
    if (!header.sealed) return
    if (this.passphrase === undefined)
      throw new BackupError(
        'the backup is sealed under a passphrase, and none was given',
        'set PROOFGATE_BACKUP_PASSPHRASE, or PROOFGATE_BACKUP_PASSPHRASE_FILE to a file that holds it',
      )
    this.sealer = await openBackupSealer(this.passphrase, header.id, header.sealed)
  }

  private note(name: string, content: Buffer): void {
    this.members.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  }

  private async takePiece(file: PiecedFile, name: string, content: Buffer): Promise<void> {
    // The log stands before the database.
    if (file === 'proofgate.sqlite-wal' && this.next['proofgate.sqlite'] > 0) throw makeOutOfPlace(name)
    const packed = this.sealer ? this.open(content, name) : content
    const bytes = unpack(packed, name)
    this.next[file]++
    this.taken[file] += bytes.length
    await this.receiver.takePiece(file, bytes)
  }

  private open(content: Uint8Array, name: string): Uint8Array {
    try {
      return this.sealer!.open(content, name)
    } catch {
      throw new DamagedBackupError(
        `the member ${name} of the backup was changed, or belongs to another backup`,
        useAnother,
      )
    }
  }

  private check(found: string, manifest: string): void {
    if (found !== (this.sealer?.check(manifest) ?? hashManifest(manifest)))
      throw new DamagedBackupError('the manifest of the backup is not the one that was written with it', useAnother)
    this.isChecked = true
  }
}

function unpack(packed: Uint8Array, name: string): Uint8Array {
  let bytes: Uint8Array | undefined
  try {
    bytes = zstdDecompressSync(packed, { maxOutputLength: pieceBytes })
  } catch {}
  if (!bytes)
    throw new DamagedBackupError(`the member ${name} of the backup is damaged: it cannot be unpacked`, useAnother)
  return bytes
}

const useAnother = 'use another backup: this one is damaged, or was changed'

const makeForeign = (): DamagedBackupError =>
  new DamagedBackupError(
    'this is no backup that Proofgate made, or its beginning is damaged',
    'name a file of `proofgate backup`',
  )

const makeCutOff = (): DamagedBackupError =>
  new DamagedBackupError(
    'the backup was cut off: it ends before its manifest',
    'use another backup. This one was not finished, or was not copied whole',
  )

const makeBroken = (): DamagedBackupError =>
  new DamagedBackupError('the backup is damaged: what follows one of its members is no member', useAnother)

const makeOutOfPlace = (name: string): DamagedBackupError =>
  new DamagedBackupError(
    `the member ${JSON.stringify(name.slice(0, 100))} is not where it belongs in the backup`,
    useAnother,
  )
