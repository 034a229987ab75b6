/** Each folder of test/ opens with a page that says what it covers. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

test('every folder of tests says on its README.md what it covers', async () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.length).toBeGreaterThan(30)
  const silent: string[] = []
  for (const { name } of folders) {
    const page = Bun.file(join(root, name, 'README.md'))
    if (!(await page.exists()) || !/^# .+\n\n\S.{30,}/.test(await page.text())) silent.push(name)
  }
  expect(silent).toEqual([])
})
