import { expect, test } from 'bun:test'
import { loadConfig } from '../src/config/load.ts'
import { openLog } from '../src/log.ts'
import { openParts } from '../src/start.ts'
import { startSweep } from '../src/sweep.ts'

test('a sweep that was left out is a line of the log, and the library of the schedule prints none', async () => {
  const config = await loadConfig({ env: {}, cwd: '/nonexistent' })
  const told: { level: string; message: string; text: unknown }[] = []
  const log = openLog((level, message, { text }) => void told.push({ level, message, text }))
  const opened = await openParts(config, undefined, Date.now, { log })
  const printed: unknown[] = []
  const { warn } = console
  console.warn = (...said) => void printed.push(said)
  // Each second, which the settings do not allow: nobody waits a minute here.
  const sweep = startSweep({
    ...opened.parts,
    config: { ...config, sweep: { ...config.sweep, schedule: '* * * * * *' } },
  })
  try {
    while (!told.some(({ message }) => message === 'swept')) await Bun.sleep(20)
    Bun.sleepSync(3_500)
    while (!told.some(({ level }) => level === 'warn')) await Bun.sleep(20)
  } finally {
    console.warn = warn
    await sweep.stop()
    await opened.close()
  }
  expect(told.find(({ level }) => level === 'warn')).toMatchObject({
    message: expect.stringContaining('a sweep was left out'),
    text: expect.stringContaining('missed execution'),
  })
  expect(printed).toEqual([])
}, 30_000)
