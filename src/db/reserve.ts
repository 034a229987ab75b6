/**
 * Reserved space on the disk: a file that is given up slice by slice. It serves revocations and erasures on a full
 * disk, and is recreated when there is space again.
 */
import { statSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findOwner, type Owner } from './file-owner.ts'

export interface Reserve {
  /** The wanted size. 0: no reserve. */
  readonly wantedBytes: number
  heldBytes(): number
  /**
   * Frees one slice, unless less than `leastBytes` would stay: false when there is nothing to give. A slice and not all,
   * because whatever filled the disk takes the freed room too.
   */
  giveUp(leastBytes?: number): Promise<boolean>
  /** Adds one slice, really written. False when it is whole, or when the disk has no room for it. */
  addSlice(): Promise<boolean>
}

/** Room for the log of several hundred revocations, and for its shared memory. */
export const reserveSliceBytes = 4 * 1_048_576

export const nameReserveFile = (folder: string): string => join(folder, 'reserve')

/** `folder` undefined keeps none. */
export function openReserve(folder: string | undefined, wantedBytes: number): Reserve {
  if (folder === undefined || wantedBytes === 0) return noReserve
  const file = nameReserveFile(folder)
  let heldBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0

  async function resize(bytes: number): Promise<void> {
    const handle = await open(file, 'r+')
    try {
      await handle.truncate(bytes)
      heldBytes = bytes
    } finally {
      await handle.close()
    }
  }

  async function giveSlice(leastBytes: number): Promise<boolean> {
    const left = Math.max(0, heldBytes - reserveSliceBytes)
    if (heldBytes === 0 || left < leastBytes) return false
    try {
      // The last slice takes the file with it: that frees an inode too.
      if (left > 0) await resize(left)
      else await rm(file)
      heldBytes = left
      return true
    } catch {
      // Removed by hand, or on a disk that is read-only now: then it is no room that could be given.
      heldBytes = 0
      return false
    }
  }

  /** The one that was asked for last: two at once would give the same slice. */
  let giving: Promise<boolean> = Promise.resolve(false)

  return {
    wantedBytes,
    heldBytes: () => heldBytes,
    giveUp(leastBytes = 0) {
      giving = giving.then(() => giveSlice(leastBytes))
      return giving
    },
    async addSlice() {
      const more = Math.min(reserveSliceBytes, wantedBytes - heldBytes)
      if (more <= 0) return false
      const before = heldBytes
      try {
        await append(file, more, findOwner(join(folder, 'proofgate.sqlite')))
        // A slice may have been given up in the meantime.
        heldBytes = (await stat(file)).size
        return true
      } catch {
        // A partly written reserve must not fill the disk.
        const size = await stat(file).then(
          (found) => found.size,
          () => 0,
        )
        heldBytes = Math.min(before, size)
        await (heldBytes > 0 ? resize(heldBytes) : rm(file, { force: true }))
        return false
      }
    },
  }
}

async function append(file: string, bytes: number, owner: Owner | undefined): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    if (owner) await handle.chown(owner.uid, owner.gid).catch(() => {})
    // Random: a file system that compresses would make a hole of zeros.
    const piece = crypto.getRandomValues(new Uint8Array(65_536))
    for (let written = 0; written < bytes; )
      written += (await handle.write(piece, 0, Math.min(piece.length, bytes - written))).bytesWritten
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const noReserve: Reserve = {
  wantedBytes: 0,
  heldBytes: () => 0,
  giveUp: async () => false,
  addSlice: async () => false,
}
