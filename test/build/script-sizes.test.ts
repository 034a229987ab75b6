import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { measureScripts, sizeLimits } from '../../src/build/script-sizes.ts'
import { packImports } from '../../src/pages/script-parts.ts'
import { bundleScripts, listPublicFiles } from '../../src/pages/scripts.ts'
import { languageNames, languages } from '../../src/web/languages.ts'

const published = await listPublicFiles()

test.each(languages.map((language) => [languageNames[language], language] as const))(
  'every script stays below its limit in %s, as it travels',
  async (_, language) => {
    for (const { bytes, limit } of await measureScripts({ ...(await bundleScripts(language)), ...published })) {
      expect(bytes).toBeGreaterThan(1_000)
      expect(bytes).toBeLessThanOrEqual(limit)
    }
  },
)

test('what two scripts share counts once, and what is loaded on demand does not count', async () => {
  const [shared, late] = [new Blob([randomBytes(1_000)]), new Blob([randomBytes(30_000)])]
  const files = {
    ...(await bundleScripts('en')),
    ...published,
    'sign-in.js': new Blob(['a']),
    'verify.js': new Blob(['b']),
    'part-shared.js': shared,
    'part-late.js': late,
    ...packImports({ 'sign-in.js': ['part-shared.js'], 'verify.js': ['part-shared.js'] }),
  }
  const [{ bytes } = { bytes: 0 }] = await measureScripts(files)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThan(1_200)
})

test.each(sizeLimits.map(({ what, files, bytes }) => ({ what, files, bytes })))(
  'a build in which $what passes its limit fails, and says so',
  async ({ what, files, bytes }) => {
    // Random bytes do not shrink.
    const heavy = { ...(await bundleScripts('en')), ...published, [files[0]]: new Blob([randomBytes(bytes + 1)]) }
    await expect(measureScripts(heavy)).rejects.toThrow(`too large to travel: ${what} with`)
  },
)
