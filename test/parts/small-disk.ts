/** A file system in memory of few MB, which can be filled. Needs root. */
import { mkdtempSync, rmSync } from 'node:fs'
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
