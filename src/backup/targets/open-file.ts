/** A new file that is written to its end and brought to the disk. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'

export interface OpenFile {
  write(bytes: Uint8Array): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

/** Errors: those of the file system, also where there is a file. */
export type OpenNewFile = (path: string) => Promise<OpenFile>

const mode = 0o600

/** The thread goes on with other work meanwhile. */
export const openAside: OpenNewFile = async (path) => {
  const handle = await open(path, 'wx', mode)
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

/** The thread waits for the disk itself. Where it has no other work, that takes a quarter of the CPU. */
export const openHere: OpenNewFile = async (path) => {
  const handle = openSync(path, 'wx', mode)
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    },
    async sync() {
      fsyncSync(handle)
    },
    async close() {
      closeSync(handle)
    },
  }
}
