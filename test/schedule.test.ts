import { expect, test } from 'bun:test'
import { loadConfig } from '../src/config/load.ts'
import { openLog } from '../src/log.ts'
import { openParts } from '../src/start.ts'
import { startSweep } from '../src/sweep.ts'

test('a sweep that was left out is one line of the log', async () => {
  const config = await loadConfig({ env: {}, cwd: '/nonexistent' })
  const told: { level: string; message: string; dueAt: unknown }[] = []
  const log = openLog((level, message, { dueAt }) => void told.push({ level, message, dueAt }))
  const opened = await openParts(config, undefined, Date.now, { log })
  // Runs each second, which the settings do not allow, so that the test is short.
  const sweep = startSweep({
    ...opened.parts,
    config: { ...config, sweep: { ...config.sweep, schedule: '* * * * * *' } },
  })
  try {
    while (!told.some(({ message }) => message === 'swept')) await Bun.sleep(20)
    Bun.sleepSync(3_500)
    while (!told.some(({ level }) => level === 'warn')) await Bun.sleep(20)
  } finally {
    await sweep.stop()
    await opened.close()
  }
  expect(told.find(({ level }) => level === 'warn')).toMatchObject({
    message: expect.stringContaining('a sweep was left out'),
    dueAt: expect.stringMatching(/^20\d\d-.*Z$/),
  })
}, 30_000)
