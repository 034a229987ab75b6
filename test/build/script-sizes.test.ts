import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { measureScripts, sizeLimits } from '../../src/build/script-sizes.ts'
import { bundleScripts, listPublicFiles } from '../../src/pages/scripts.ts'

const scripts = { ...(await bundleScripts()), ...(await listPublicFiles()) }

test('every script stays below its limit, as it travels', async () => {
  for (const { bytes, limit } of await measureScripts(scripts)) {
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual(limit)
  }
})

test.each(sizeLimits.map(({ what, files, bytes }) => ({ what, files, bytes })))(
  'a build in which $what passes its limit fails, and says so',
  async ({ what, files, bytes }) => {
    // Random bytes do not shrink.
    const heavy = { ...scripts, [files[0]]: new Blob([randomBytes(bytes + 1)]) }
    await expect(measureScripts(heavy)).rejects.toThrow(`too large to travel: ${what} with`)
  },
)
