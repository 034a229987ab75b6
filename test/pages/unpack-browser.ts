/** The Chromium that comes as a package. Processes that run tests beside each other share one. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devDependencies } from '../../package.json'

/** Unpacks aside and then moves, because the package may return a file that another process still writes. */
export function unpackBrowser(folder = tmpdir()): string {
  const place = join(folder, `proofgate-chromium-${devDependencies['@sparticuz/chromium']}`)
  const file = join(place, 'chromium')
  if (existsSync(file)) return file
  const aside = mkdtempSync(join(folder, 'proofgate-chromium-'))
  try {
    const unpack = "import packaged from '@sparticuz/chromium'; await packaged.executablePath()"
    const { success, stderr } = Bun.spawnSync([process.execPath, '-e', unpack], {
      cwd: import.meta.dir,
      env: { ...process.env, TMPDIR: aside },
    })
    if (!success) throw new Error(`the packaged Chromium could not be unpacked: ${stderr}`)
    renameSync(aside, place)
  } catch (error) {
    // Another process was faster where it is there now.
    if (!existsSync(file)) throw error
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return file
}
