/** Moving a server to other addresses: told before it happens, and whole or not at all. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { moveDomain } from '../../src/commands/move-domain.ts'
import { ConfigError } from '../../src/config/load.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { takeLock } from '../../src/db/lock.ts'
import { startApp } from '../app.ts'
import { type Given, run } from '../commands/terminal.ts'
import { masterKey } from '../db/schemas/story.ts'
import { inspect } from '../db/store.ts'
import { plantPerson, plantRows } from '../export/people.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { alice, bob, evmWallet, mallory, sol } from '../wallets.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const filled = newFolder()
const [before, after] = ['https://old.example.com', 'https://new.example.org']
let now = 0

beforeAll(async () => {
  const env = { PROOFGATE_DATA: filled, PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_LIMITS_ENABLED: 'false' }
  const app = await startApp({ ...env, PROOFGATE_LOG_LEVEL: 'error' }, filled)
  now = app.now()
  const asAlice = await plantPerson(app, alice, { second: sol, viewer: mallory })
  const asBob = await plantPerson(app, bob, { second: evmWallet(`0x${'7'.repeat(64)}`), viewer: mallory })
  await plantRows(app, asAlice, asBob)
  await app.parts.db.write([
    {
      sql: `INSERT INTO oauth_families (handle, profile, client, account, scope, resource, signed_in_at, created_at, expires_at, generation, refresh_ends_at, access_ends_at)
            SELECT 'live', id, 'app', account, 'proofs:read', ?1, ?2, ?2, ?3, 1, ?3, ?3 FROM profiles LIMIT 1`,
      params: [`${before}/mcp`, now, now + 86_400_000],
    },
    {
      sql: "UPDATE gate_versions SET definition = replace(definition, 'words of', 'see https://old.example.com/x, words of') WHERE gate = 1",
      params: [],
    },
  ])
  await app.close()
})

/** A copy of the filled folder, with a configuration beside it. */
function makePlace(toml = `# ours\nbase_url = "${before}"  # public\n`) {
  const cwd = newFolder()
  cpSync(filled, join(cwd, 'data'), { recursive: true })
  writeFileSync(join(cwd, 'proofgate.toml'), toml)
  return {
    cwd,
    data: join(cwd, 'data'),
    readConfig: () => readFileSync(join(cwd, 'proofgate.toml'), 'utf8'),
    move: (args: readonly string[], given: Given = {}) =>
      run(moveDomain, args, { cwd, now: () => now, ...given, env: { PROOFGATE_MASTER_KEY: masterKey, ...given.env } }),
  }
}

const readResources = (data: string): readonly string[] =>
  inspect(data, (db) =>
    db
      .query<{ resource: string }, []>("SELECT resource FROM oauth_families WHERE handle = 'live'")
      .all()
      .map(({ resource }) => resource),
  )

const countRows = (data: string, sql: string): number =>
  inspect(data, (db) => db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${sql}`).get()!.n)

test('tells with --dry-run what breaks, counted in the database, and changes nothing', async () => {
  const { move, data, readConfig } = makePlace()
  const { code, json } = await move([after, '--dry-run', '--json'])
  expect(code).toBe(0)
  const counts = Object.fromEntries(
    json.breaks.map(({ what, count }: { what: string; count: number }) => [what, count]),
  )
  expect(counts).toEqual({
    sessions: 2,
    shareLinks: 2,
    receipts: 1,
    gates: 2,
    grants: 1,
    accessKeys: 2,
    proofs: 8,
    gatesWithAddress: 1,
    signedTexts: null,
    widgets: null,
  })
  expect(json.moved).toBe(false)
  expect(json.configuration).toEqual([`change proofgate.toml:2 to: base_url = "${after}"`])
  expect(readConfig()).toContain(before)
  expect(readResources(data)).toEqual([`${before}/mcp`])
})

test('moves rows and the line of the configuration, and keeps a copy of the file', async () => {
  const { move, data, cwd, readConfig } = makePlace()
  chmodSync(join(cwd, 'proofgate.toml'), 0o640)
  const { code, out } = await move([after, '--yes'])
  expect(code).toBe(0)
  expect(out).toContain(`base_url  ${before} -> ${after}`)
  expect(out).toContain('Signed-in browsers: 2. Their cookie belongs to old.example.com')
  expect(readConfig()).toBe(`# ours\nbase_url = "${after}"  # public\n`)
  expect(statSync(join(cwd, 'proofgate.toml')).mode & 0o777).toBe(0o640)
  const copies = readdirSync(cwd).filter((name) => name.startsWith('proofgate.toml.'))
  expect(copies).toHaveLength(1)
  expect(readFileSync(join(cwd, copies[0]!), 'utf8')).toContain(before)
  expect(readResources(data)).toEqual([`${after}/mcp`])
  // What is not bound to an address stays.
  expect(countRows(data, 'sessions')).toBe(2)
  expect(countRows(data, 'oauth_families WHERE revoked_at IS NULL')).toBe(2)

  const again = await move([after, '--yes'])
  expect(again).toMatchObject({ code: 0 })
  expect(again.out).toContain('Nothing to do')
  expect(again.out).not.toContain('What breaks')
})

test('ends sessions, connected apps and share links with --sign-out, for a name that goes to somebody else', async () => {
  const { move, data } = makePlace()
  expect(countRows(data, 'share_links')).toBe(2)
  const { code, json } = await move([after, '--yes', '--sign-out', '--json'])
  expect(code).toBe(0)
  expect(countRows(data, 'share_links')).toBe(0)
  expect(json.tasks.join()).not.toContain('keep old.example.com')
  expect(json.tasks.join()).toContain('before somebody else gets old.example.com: make new access keys')
  expect(countRows(data, 'sessions')).toBe(0)
  expect(countRows(data, 'oauth_families WHERE revoked_at IS NULL')).toBe(0)
  expect(countRows(data, 'access_keys WHERE revoked_at IS NULL')).toBe(2)
})

const mountsNothing = isMissing(
  process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('unshare'),
  'a disk that is mounted read-only: as root on Linux',
)

test.skipIf(mountsNothing)('on a disk that is mounted read-only, is told with --dry-run alone', async () => {
  const { cwd, data } = makePlace()
  const move = async (args: string) => {
    const call = [...program, 'move-domain', after].map((word) => `'${word}'`).join(' ')
    const script = `mount --bind '${cwd}' '${cwd}' && mount -o remount,ro,bind '${cwd}' && cd '${cwd}' && ${call} ${args}`
    const child = Bun.spawn(['unshare', '--mount', 'sh', '-c', script], {
      env: { PATH: process.env.PATH, PROOFGATE_MASTER_KEY: masterKey },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { code: await child.exited, out, err }
  }
  const dry = await move('--dry-run')
  expect(dry).toMatchObject({ code: 0, err: '' })
  expect(dry.out).toContain('Receipts: 1.')
  expect(dry.out).toContain('Nothing was changed (--dry-run).')
  expect(await move('--yes')).toMatchObject({ code: 69, err: expect.stringContaining('mounted read-only') })
  expect(readResources(data)).toEqual([`${before}/mcp`])
})

test('names a new address that the configuration refuses as it was given', async () => {
  const refused = (args: readonly string[]) =>
    makePlace()
      .move([...args, '--dry-run'])
      .catch((error: Error) => error.message)
  expect(await refused(['http://new.example.org'])).toStartWith('the new address http://new.example.org: plain http')
  expect(await refused([after, '--auth-url', 'http://sign.example.org'])).toStartWith(
    '--auth-url http://sign.example.org: plain http',
  )
  for (const name of ["https://a'b.example.org", 'https://a"b.example.org', 'https://a,b.example.org'])
    expect(await refused([name])).toContain('is not an http(s) address')
})

test('moves the rows where the configuration has the new address already', async () => {
  const { move, data } = makePlace(`base_url = "${after}"\n`)
  const { code, json } = await move([after, '--yes', '--json'])
  expect([code, json.moved, json.breaks, json.configuration]).toEqual([0, true, [], []])
  expect(readResources(data)).toEqual([`${after}/mcp`])
})

test('keeps addresses of their own, names them, and moves them where the call says so', async () => {
  const toml = `base_url = "${before}"\nauth_url = "https://sign.example.com"\n`
  const kept = await makePlace(toml).move([after, '--dry-run'])
  expect(kept.out).toContain('auth_url stays https://sign.example.com: --auth-url changes it')
  expect(kept.out).not.toContain('Signed-in browsers')
  const { move, readConfig } = makePlace(toml)
  const moved = await move([after, '--auth-url', 'https://sign.example.org', '--yes'])
  expect(moved.out).toContain('Their cookie belongs to sign.example.com')
  expect(readConfig()).toBe(`base_url = "${after}"\nauth_url = "https://sign.example.org"\n`)
})

describe('the configuration', () => {
  test.each([
    [`base_url = '${before}'\r\nport = 1\r\n`, `base_url = "${after}"\r\nport = 1\r\n`],
    [`  base_url="${before}"`, `  base_url="${after}"`],
    [`port = 1\n[cors]\norigins = ["${before}"]\n`, undefined],
    [`"base_url" = "${before}"\n`, undefined],
    [`base_url = """${before}"""\n`, undefined],
  ])('%j becomes %j', async (toml, expected) => {
    const { move, readConfig } = makePlace(toml)
    const { out } = await move([after, '--yes'])
    expect(readConfig()).toBe(expected ?? toml)
    if (expected === undefined) expect(out).toContain(`base_url = "${after}"`)
  })

  test('is copied for each of two moves within a second, and what a killed move left is replaced', async () => {
    const { cwd, move, readConfig } = makePlace()
    writeFileSync(join(cwd, 'proofgate.toml.moving'), 'half')
    await move([after, '--yes'])
    await move([before, '--yes'])
    expect(readConfig()).toContain(before)
    const copies = readdirSync(cwd).filter((name) => name.startsWith('proofgate.toml.'))
    const said = copies.map((name) => /base_url = "(.*)"/.exec(readFileSync(join(cwd, name), 'utf8'))?.[1])
    expect(said.sort()).toEqual([after, before].sort())
  })

  test('is changed where a link leads, and the link stays', async () => {
    const { cwd, move } = makePlace('')
    writeFileSync(join(cwd, 'real.toml'), `base_url = "${before}"\n`)
    symlinkSync('real.toml', join(cwd, 'link.toml'))
    await move([after, '--yes', '--config', 'link.toml'])
    expect(readFileSync(join(cwd, 'real.toml'), 'utf8')).toContain(after)
    expect(readFileSync(join(cwd, 'link.toml'), 'utf8')).toContain(after)
  })

  test('in the environment is named, and a file that cannot be changed is left as it was', async () => {
    const inEnvironment = await makePlace('').move([after, '--yes'], { env: { PROOFGATE_BASE_URL: before } })
    expect(inEnvironment.out).toContain(`set the variable PROOFGATE_BASE_URL=${after} where the server is started`)
    const { cwd, move, readConfig } = makePlace()
    // A folder stands where the new file would be written first.
    mkdirSync(join(cwd, 'proofgate.toml.moving', 'more'), { recursive: true })
    const { code, out } = await move([after, '--yes'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /change proofgate\.toml:2 to: base_url = "https:\/\/new\.example\.org" \(it could not be changed here:/,
    )
    expect(readConfig()).toContain(before)
    expect(readdirSync(cwd).filter((name) => name.includes('before'))).toEqual([])
  })

  test('is told the other settings that name the old address, and the places at providers', async () => {
    const social = '[social.github]\nprovider = "github"\nclient_id = "c"\nclient_secret = "s"\n'
    const stripe = '[payments.stripe]\nsecret_key = "sk_test_1"\nwebhook_secret = "whsec_1"\n'
    const { out } = await makePlace(`base_url = "${before}"\n[cors]\norigins = ["${before}"]\n${social}${stripe}`).move(
      [after, '--dry-run'],
      { columns: 1000 },
    )
    expect(out).toContain('cors.origins (proofgate.toml:3) names the old address as well')
    expect(out.replace(/\n {4}/g, ' ')).toContain(`allow ${after}/api/v1/auth/oauth/callback/github`)
    expect(out.replace(/\n {4}/g, ' ')).toContain(
      `at the provider of payments.stripe, set the webhook to ${after}/api/v1/payments/stripe/webhook`,
    )
  })
})

describe('is refused', () => {
  test('while a server runs on the folder, but for --dry-run', async () => {
    const { move, data, readConfig } = makePlace()
    const lock = takeLock(locateDatabaseFile(data))
    try {
      const refused = await move([after, '--yes']).catch((error) => error)
      expect(refused).toBeInstanceOf(UnavailableError)
      expect(refused.message).toContain('a server runs on the data folder')
      expect((await move([after, '--dry-run'])).code).toBe(0)
    } finally {
      lock.release()
    }
    expect(readConfig()).toContain(before)
    expect(readResources(data)).toEqual([`${before}/mcp`])
  })

  test.each([
    ['', 'name the new address'],
    ['new.example.org', 'is not an http(s) address'],
    ['https://new.example.org/', 'without a default port, trailing slash'],
    ['https://New.example.org', 'in lower case'],
    ['ftp://new.example.org', 'is not an http(s) address'],
  ])('for the address %j', async (address, says) => {
    const refused = await makePlace()
      .move([address, '--yes'])
      .catch((error) => error)
    expect(refused).toBeInstanceOf(UsageError)
    expect(refused.message).toContain(says)
  })

  test('without a confirmation: by a program at once, by a person who types something else', async () => {
    const { move, data, readConfig } = makePlace()
    const asked = await move([after]).catch((error) => error)
    expect(asked).toBeInstanceOf(UsageError)
    expect(asked.message).toContain('add --yes to confirm')
    const typed = await move([after], { isPerson: true, stdin: 'y\n' })
    expect([typed.code, typed.err]).toEqual([1, 'Type "new.example.org" to go on: proofgate: nothing was changed\n'])
    expect(readConfig()).toContain(before)
    expect(readResources(data)).toEqual([`${before}/mcp`])
    expect((await move([after], { isPerson: true, stdin: 'new.example.org\n' })).code).toBe(0)
    expect(readResources(data)).toEqual([`${after}/mcp`])
  })

  test('where the rest of the configuration does not go with the new address', async () => {
    const { move, data } = makePlace()
    const refused = await move([after, '--auth-url', 'https://a.example', '--yes'], {
      env: { PROOFGATE_PORT: 'x' },
    }).catch((error) => error)
    expect(refused).toBeInstanceOf(ConfigError)
    expect(readResources(data)).toEqual([`${before}/mcp`])
  })
})
