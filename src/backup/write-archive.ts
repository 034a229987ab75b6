/** Writes the members of a backup into a tar stream, and notes what the manifest says about each. */
import { createHash } from 'node:crypto'
import type { Pack } from 'tar-stream'
import { checkName, type Header, headerName, type Manifest, type MemberEntry, manifestName } from './format.ts'
import { type BackupSealer, hashManifest } from './sealing.ts'
import type { Sink } from './targets/target.ts'

/** Loads with the first archive. */
const loadTar = () => require('tar-stream') as typeof import('tar-stream')

export interface ArchiveWriter {
  add(name: string, content: Uint8Array): Promise<void>
  /** Writes the manifest, and ends the archive. */
  finish(about: Omit<Manifest, 'header' | 'members'>): Promise<Manifest>
}

export async function openArchive(
  sink: Sink,
  header: Header,
  sealer: BackupSealer | undefined,
): Promise<ArchiveWriter> {
  const tar = loadTar().pack()
  const flowing = flow(tar, sink)
  // Told to whoever writes next.
  flowing.catch(() => {})
  const members: MemberEntry[] = []
  const mtime = new Date(header.createdAt)

  async function write(name: string, content: Uint8Array): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      tar.entry(
        { name, size: content.length, mode: 0o600, mtime },
        Buffer.from(content.buffer, content.byteOffset, content.length),
        (error) => (error ? reject(error) : resolve()),
      )
    })
    // The stream says only that it was closed. The place says why.
    await written.catch(async (error) => {
      await flowing
      throw error
    })
  }

  async function add(name: string, content: Uint8Array): Promise<void> {
    await write(name, content)
    members.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  }

  await add(headerName, encodeJson(header))
  return {
    add,
    async finish(about) {
      const manifest: Manifest = { header, ...about, members }
      const text = encodeJson(manifest)
      await write(manifestName, text)
      await write(checkName, Buffer.from(sealer?.check(text.toString()) ?? hashManifest(text.toString())))
      tar.finalize()
      await flowing
      return manifest
    },
  }
}

async function flow(tar: Pack, sink: Sink): Promise<void> {
  try {
    for await (const chunk of tar) await sink.write(chunk as Uint8Array)
  } catch (error) {
    tar.destroy()
    throw error
  }
}

const encodeJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
