import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { healthcheck } from '../../src/commands/healthcheck.ts'
import { loadConfig } from '../../src/config/load.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { openHeldFiles } from '../../src/health/held-files.ts'
import { startServer } from '../../src/start.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { makeDataFolder } from './data-folder.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

const ask = (port: number | undefined, args: string[] = [], host = '127.0.0.1') =>
  run(healthcheck, args, { env: { PROOFGATE_PORT: String(port), PROOFGATE_HOST: host } })

async function answering(fetch: () => Response | Promise<Response>, use: (port: number) => Promise<void>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  try {
    await use(server.port!)
  } finally {
    await server.stop(true)
  }
}

describe('proofgate healthcheck', () => {
  test('a server that listens everywhere is asked on this machine, and is ready', async () => {
    const config = await loadConfig({ env: { PROOFGATE_PORT: '0', PROOFGATE_HOST: '0.0.0.0' }, cwd: newFolder() })
    const server = await startServer(config, { folder: undefined })

    expect(await ask(server.port, [], '0.0.0.0')).toMatchObject({ code: 0, out: 'ready\n', err: '' })
    expect((await ask(server.port, ['--json'], '0.0.0.0')).json).toEqual({
      ready: true,
      url: `http://127.0.0.1:${server.port}/api/v1/health/ready`,
      message: 'ready',
    })

    await server.stop()
    expect(await ask(server.port)).toMatchObject({
      code: 1,
      err: expect.stringContaining('not ready: nothing answers'),
    })
  })

  test.each([
    [
      'a refusal',
      () => Response.json({ error: { message: 'the database\u001b' } }, { status: 503 }),
      'the database\\u{1b}',
    ],
    ['a refusal without reason', () => Response.json({}, { status: 500 }), 'the answer is 500'],
    ['another program', () => new Response('<html>'), 'something answers that is not Proofgate'],
    ['a list', () => Response.json([]), 'the answer is 200'],
    ['null', () => Response.json(null), 'the answer is 200'],
  ])('%s is not ready', async (_, fetch, message) => {
    await answering(fetch, async (port) => {
      const { code, err } = await ask(port)
      expect(code).toBe(1)
      expect(err).toContain(`not ready: ${message}`)
    })
  })

  test('names the remedy for each failure, as the server on this machine reports it', async () => {
    const conditions = [
      { name: 'disk-full', level: 'failing', says: 'the disk is full', mend: 'free space\u001b[2J' },
      { name: 'clock-jumped', level: 'warning', says: 'the clock jumped', mend: 'set the clock' },
      { name: 'odd', level: 'failing' },
      null,
    ]
    const fetch = () =>
      Response.json({ error: { message: 'the disk is full', details: { conditions } } }, { status: 503 })
    await answering(fetch, async (port) => {
      const { code, err } = await ask(port)
      expect(code).toBe(1)
      expect(err).toStartWith('not ready: the disk is full (')
      expect(err).toEndWith(')\nwhat to do: free space\\u{1b}[2J\n')
      expect((await ask(port, ['--json'])).json).toMatchObject({
        ready: false,
        message: 'the disk is full',
        mend: ['free space\u001b[2J'],
      })
    })
  })

  test('prints the whole remedy for a deleted folder, and the place of its commands', async () => {
    const folder = join(newFolder(), 'data')
    makeDataFolder(folder)
    const held = openHeldFiles({
      folder,
      databaseFile: locateDatabaseFile(folder),
      key: undefined,
      reserve: { heldBytes: () => 0 },
    })
    rmSync(folder, { recursive: true })
    const { conditions } = await held.look()
    held.close()
    const fetch = () => Response.json({ error: { message: 'lost', details: { conditions } } }, { status: 503 })
    await answering(fetch, async (port) => {
      const { err } = await ask(port)
      expect(err).toEndWith(`what to do: ${conditions[0]!.mend}\n`)
      const [, guide, heading] = /(src\/guides\/\S+\.md), under "([^"]+)"\n$/.exec(err)!
      expect(await Bun.file(new URL(`../../${guide}`, import.meta.url)).text()).toContain(`\n## ${heading}\n`)
    })
  })

  test('waits two seconds and no longer', async () => {
    await answering(
      () => new Promise(() => {}),
      async (port) => {
        const startedAt = performance.now()
        expect((await ask(port)).err).toContain('no answer within 2 seconds')
        expect(performance.now() - startedAt).toBeWithin(1900, 4000)
      },
    )
  })

  test('reaches its own machine without a proxy', async () => {
    await answering(
      () => Response.json({ ready: true }),
      async (port) => {
        process.env.HTTP_PROXY = 'http://127.0.0.1:1'
        const { code } = await ask(port)
        delete process.env.HTTP_PROXY
        expect(code).toBe(0)
      },
    )
  })

  test('cannot know a port that the system picks', async () => {
    expect(await ask(0).catch((error) => error)).toBeInstanceOf(UsageError)
  })
})
