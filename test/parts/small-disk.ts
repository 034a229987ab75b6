/** File systems of few MB, which can be filled or frozen. Need root. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly folder: string
  end(): void
}

/** Undefined where this user may not mount. */
export function mountSmallDisk(sizeMb: number): SmallDisk | undefined {
  if (process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-small-'))
  const options = ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs']
  const { success } = Bun.spawnSync(['mount', ...options, folder], { stderr: 'ignore' })
  const remove = (): void => rmSync(folder, { recursive: true })
  if (!success) remove()
  return success
    ? {
        folder,
        end() {
          Bun.spawnSync(['umount', '-l', folder])
          remove()
        },
      }
    : undefined
}

export interface FrozenDisk extends SmallDisk {
  /** Blocks all writes from now on: a process that tries waits, and cannot be killed. */
  freeze(): { end(): void }
}

/** A disk in a file, as real as one can be. Undefined where this user may not mount or freeze it. */
export function mountImage(sizeMb = 24): FrozenDisk | undefined {
  if (process.getuid?.() !== 0) return undefined
  const place = mkdtempSync(join(tmpdir(), 'proofgate-image-'))
  const [image, folder] = [join(place, 'image'), join(place, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, sizeMb * 1_048_576)
  mkdirSync(folder)
  const env = { PATH: `${process.env.PATH}:/sbin:/usr/sbin` }
  const runs = (...command: readonly string[]): boolean =>
    Bun.which(command[0]!, env) !== null && Bun.spawnSync([...command], { env, stderr: 'ignore' }).success
  const thaw = (): void => void runs('fsfreeze', '--unfreeze', folder)
  const end = (): void => {
    thaw()
    runs('umount', '-l', folder)
    rmSync(place, { recursive: true })
  }
  const freezes = (): boolean => runs('fsfreeze', '--freeze', folder)
  const canFreeze = runs('mkfs.ext4', '-q', image) && runs('mount', '-o', 'loop', image, folder) && freezes()
  thaw()
  if (!canFreeze) {
    end()
    return undefined
  }
  return {
    folder,
    end,
    freeze() {
      freezes()
      return { end: thaw }
    },
  }
}
