/** `proofgate version --check`: the answers, and the lists that it refuses. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/commands/command.ts'
import { explainFault } from '../../src/commands/explain.ts'
import { versionCommand } from '../../src/commands/version.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { signContent } from '../../src/release/minisign.ts'
import type { Release } from '../../src/release/release-list.ts'
import { generateSecretKey } from '../../src/release/secret-key.ts'
import { version } from '../../src/version.ts'
import { openSecp256k1 } from '../../src/wallet/secp256k1.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { describeRelease, type Publisher, startPublisher } from './publisher.ts'

const folders = temporaryFolders()
const now = () => Date.parse('2026-11-28T12:00:00Z')

const check = (env: Readonly<Record<string, string>>, args: readonly string[] = [], at = now) =>
  run(versionCommand, ['--check', ...args], { env, now: at })

/** The sentence and exit code of main.ts. */
async function refuse(env: Readonly<Record<string, string>>) {
  const fault = await check(env).then(
    () => undefined,
    (error) => explainFault(error, 'version'),
  )
  expect(fault?.exitCode).toBe(exitCodes.unavailable)
  return fault!.says
}

test('the version is printed without a call, and with what a newer build needs to know as JSON', async () => {
  expect(await run(versionCommand, [])).toMatchObject({ code: 0, out: `proofgate ${version}\n` })
  const { json } = await run(versionCommand, ['--json'])
  const { backend: recovery, library: recoveryLibrary } = await openSecp256k1()
  expect(json).toEqual({
    version,
    target: expect.stringMatching(/^\w+-\w+/),
    schema: expect.stringMatching(/^\d{4}_/),
    recovery,
    recoveryLibrary,
  })
})

test('without an address nothing is called, and the setting is named', async () => {
  expect(await refuse({})).toContain('set updates.url (PROOFGATE_UPDATES_URL)')
})

test('without a key nothing is called, and the setting is named', async () => {
  await using publisher = startPublisher()
  publisher.publish([describeRelease(version)])

  expect(await refuse({ PROOFGATE_UPDATES_URL: publisher.url })).toContain('set updates.public_key')
  expect(publisher.asked).toEqual([])
})

test.each<[string, readonly Release[], number, string, string]>([
  [
    'the newest release',
    [describeRelease(version), describeRelease('0.0.9')],
    0,
    'none',
    `proofgate ${version} is the newest release.`,
  ],
  [
    'newer than every release',
    [describeRelease('0.0.9')],
    0,
    'none',
    `proofgate ${version} is newer than the newest release, 0.0.9.`,
  ],
  [
    'older than a normal release',
    [describeRelease('0.10.0'), describeRelease('0.9.0', { severity: 'normal' })],
    0,
    'normal',
    'proofgate 0.10.0 of 2026-11-27 is out',
  ],
  [
    'older than a security release',
    [describeRelease('1.0.0', { severity: 'security' })],
    1,
    'security',
    'Update now: 1.0.0 mends something unsafe',
  ],
  [
    'older than a security release that others followed',
    [describeRelease('0.2.0', { severity: 'security' }), describeRelease('0.3.0')],
    1,
    'security',
    'Update now: 0.2.0 mends',
  ],
  [
    'the security release itself',
    [describeRelease(version, { severity: 'security' })],
    0,
    'none',
    'is the newest release',
  ],
])('a version that is %s', async (_, releases, code, update, says) => {
  await using publisher = startPublisher()
  publisher.publish(releases)

  const printed = await check(publisher.env)
  expect([printed.code, printed.out]).toEqual([code, expect.stringContaining(says)])
  expect((await check(publisher.env, ['--json'])).json).toMatchObject({ version, update, listSerial: 1 })
  expect(new Set(publisher.asked)).toEqual(new Set(['/releases.json', '/releases.json.minisig']))
})

test('a list that was not renewed for long is named as such', async () => {
  await using publisher = startPublisher()
  publisher.publish([describeRelease(version)])

  expect((await check(publisher.env)).out).not.toContain('days old')
  expect((await check(publisher.env, [], () => Date.parse('2027-06-01T00:00:00Z'))).out).toContain('185 days old')
})

test('an older list than one that was seen is refused, until it is forgotten', async () => {
  await using publisher = startPublisher()
  const data = join(folders(), 'data')
  mkdirSync(data)
  writeFileSync(locateDatabaseFile(data), '')
  const env = { ...publisher.env, PROOFGATE_DATA: data }
  const ask = () => refuse(env)
  publisher.publish([describeRelease(version)], { serial: 7 })
  expect((await check(env, ['--json'])).json).toMatchObject({ listRemembered: true })
  expect(JSON.parse(readFileSync(join(data, 'seen-releases.json'), 'utf8'))).toEqual({
    [readKeyId(publisher)]: { serial: 7, date: '2026-11-27T12:00:00Z' },
  })

  publisher.publish([describeRelease('0.0.9')], { serial: 6 })
  expect(await ask()).toContain('older than one that was seen before: it has the serial 6')
  publisher.publish([describeRelease(version)], { serial: 7 })
  expect((await check(env)).code).toBe(0)

  await using other = startPublisher()
  other.publish([describeRelease(version)])
  expect((await check({ ...other.env, PROOFGATE_DATA: data })).code).toBe(0)
})

const readKeyId = ({ publicKey }: Publisher): string =>
  Buffer.from(publicKey, 'base64').subarray(2, 10).reverse().toString('hex').toUpperCase()

test.each<[string, (publisher: Publisher) => void, string]>([
  [
    'altered',
    ({ served }) => served.set('/releases.json', String(served.get('/releases.json')).replace('0.2.0', '0.0.2')),
    'not of this content',
  ],
  [
    'of another key',
    (publisher) => publisher.served.set('/releases.json.minisig', signAsAnother(publisher)),
    'was made with the key',
  ],
  [
    'under the signature of another list',
    ({ served, sign }) =>
      served.set(
        '/releases.json.minisig',
        sign(String(served.get('/releases.json')), 'proofgate releases, serial 9, 2026-11-27T12:00:00Z'),
      ),
    'the signature is of "proofgate releases, serial 9',
  ],
  [
    'under the signature of a file',
    ({ served, sign }) =>
      served.set('/releases.json.minisig', sign(String(served.get('/releases.json')), 'proofgate 0.2.0 linux-x64')),
    'the signature is of "proofgate 0.2.0 linux-x64"',
  ],
  [
    'without its signature',
    ({ served }) => served.delete('/releases.json.minisig'),
    'the signature beside updates.url (.minisig) answered 404',
  ],
  ['missing', ({ served }) => served.delete('/releases.json'), 'updates.url answered 404'],
  ['too large', ({ served }) => served.set('/releases.json', 'x'.repeat(1_100_000)), 'sent more than 1048576 bytes'],
  ['no JSON', (publisher) => publishText(publisher, '{'), 'no JSON'],
  ['of another form', (publisher) => publishText(publisher, '{"format":"proofgate-releases-2"}'), 'has a wrong'],
  [
    'that names a version twice',
    (publisher) => publisher.publish([describeRelease('0.2.0'), describeRelease('0.2.0')]),
    'a version twice',
  ],
  ['without a release', (publisher) => publisher.publish([]), 'has a wrong releases'],
  [
    'with a version that is none',
    (publisher) => publisher.publish([describeRelease('1.0')]),
    'has a wrong releases/0/version',
  ],
  [
    'that redirects to this machine',
    ({ served }) => served.set('/releases.json', () => Response.redirect('http://127.0.0.1:1/x')),
    'is not an https address',
  ],
  [
    'that redirects in a circle',
    ({ served }) =>
      served.set('/releases.json', () => new Response(null, { status: 302, headers: { location: '/releases.json' } })),
    'redirects more than 5 times',
  ],
])('a list is refused that is %s', async (_, spoil, says) => {
  await using publisher = startPublisher()
  publisher.publish([describeRelease('0.2.0')])
  spoil(publisher)

  expect(await refuse(publisher.env)).toContain(says)
})

function signAsAnother({ served }: Publisher): string {
  const text = String(served.get('/releases.json'))
  return signContent(text, generateSecretKey(), { trusted: 'proofgate releases, serial 1, 2026-11-27T12:00:00Z' })
}

function publishText({ served, sign }: Publisher, text: string): void {
  served.set('/releases.json', text)
  served.set('/releases.json.minisig', sign(text, 'proofgate releases, serial 1, 2026-11-27T12:00:00Z'))
}

test('a list at an address that redirects to the same host is found', async () => {
  await using publisher = startPublisher()
  publisher.publish([describeRelease(version)])
  for (const end of ['', '.minisig']) {
    const text = publisher.served.get(`/releases.json${end}`)!
    publisher.served.set(`/moved.json${end}`, text)
    publisher.served.set(
      `/releases.json${end}`,
      () => new Response(null, { status: 302, headers: { location: `/moved.json${end}` } }),
    )
  }

  expect((await check(publisher.env)).code).toBe(0)
})

test('a query of the address stays behind the end of the signature', async () => {
  await using publisher = startPublisher()
  publisher.publish([describeRelease(version)])
  const asked: string[] = []
  const text = publisher.served.get('/releases.json.minisig') as string
  publisher.served.set('/releases.json.minisig', ({ url }) => {
    asked.push(new URL(url).search)
    return new Response(text)
  })

  expect((await check({ ...publisher.env, PROOFGATE_UPDATES_URL: `${publisher.url}?key=secret` })).code).toBe(0)
  expect(asked).toEqual(['?key=secret'])
})
