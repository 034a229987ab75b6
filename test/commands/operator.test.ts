import { expect, setDefaultTimeout, test } from 'bun:test'
import { UsageError } from '../../src/commands/command.ts'
import { operator } from '../../src/commands/operator.ts'
import { claim } from '../../src/operator/claim.ts'
import { hashIfGood } from '../../src/operator/link.ts'
import { isOperator } from '../../src/operator/operator.ts'
import { findProfileByAccount, makeProfile } from '../../src/profiles/store.ts'
import type { Server } from '../journeys/server.ts'
import { alice, bob, sol } from '../wallets.ts'
import { beside } from './beside.ts'
import { run } from './terminal.ts'

setDefaultTimeout(120_000)

const { newPlace, start } = beside()

const profileOf = async ({ parts }: Server, wallet: string) => {
  const account = { wallet: wallet.toLowerCase(), contractOn: undefined }
  await parts.db.write([makeProfile({ account, did: 'did', subject: 'subject', now: 1 })])
  return { profile: (await findProfileByAccount(parts.db, account))! }
}

test('a link that is made beside a running server makes an operator, who is listed, and removed at once', async () => {
  const place = newPlace()
  const server = await start(place.cwd)
  const { code, out, err } = await run(operator, ['link'], place)
  expect(code).toBe(0)
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:8787\/operator\/claim#[A-Za-z0-9_-]{43}\n$/)
  expect(err).toMatch(/^Good once, until 20\S+Z\. Links of before are good no more\.\n$/)

  const person = await profileOf(server, alice.address)
  expect(await claim(server.parts, person, out.trim().split('#')[1])).toBe(true)
  expect(await isOperator(server.parts, person)).toBe(true)
  const wallet = alice.address.toLowerCase()
  expect((await run(operator, ['list', '--json'], place)).json).toEqual({
    operators: [{ wallet, from: 'link', since: expect.any(Number) }],
  })
  expect((await run(operator, ['remove', alice.address], place)).out).toBe(`${wallet} is operator no more.\n`)
  expect(await isOperator(server.parts, person)).toBe(false)
  expect((await run(operator, ['list'], place)).out).toBe('There is no operator: "operator link" makes one.\n')
})

test('a new link takes the place of the one before', async () => {
  const place = newPlace()
  const links = [await run(operator, ['link', '--json'], place), await run(operator, ['link', '--json'], place)]
  const server = await start(place.cwd)
  const good = await Promise.all(links.map(({ json }) => hashIfGood(server.parts, json.link.split('#')[1])))
  // The start found no operator, and made a link of its own.
  expect(good).toEqual([undefined, undefined])
  const { json } = await run(operator, ['link', '--json'], place)
  expect(await hashIfGood(server.parts, json.link.split('#')[1])).toMatch(/^[0-9a-f]{64}$/)
})

test('operators of the configuration are listed, once, and removed there only', async () => {
  const { cwd, env } = newPlace()
  const place = { cwd, env: { ...env, PROOFGATE_OPERATOR_WALLETS: `${bob.address},${bob.address.toLowerCase()}` } }
  const wallet = bob.address.toLowerCase()
  expect((await run(operator, ['list'], place)).out).toBe(`${wallet}  configuration\n`)
  await expect(run(operator, ['remove', bob.address], place)).rejects.toThrow(/remove it from operator\.wallets/)
})

test.each([
  ['nothing', [], /give one of link, list, remove/],
  ['a word that is none', ['lnk'], /did you mean "link"/],
  ['no wallet', ['remove'], /name the wallet/],
  ['a wallet that is none', ['remove', 'alice'], /"alice" is not a wallet/],
  ['a wallet that is no operator', ['remove', sol.address], /is not an operator/],
  ['an argument too many', ['link', 'now'], /Unexpected argument 'now'/],
])('%s is a usage error', async (_, args, reason) => {
  const failing = run(operator, args, newPlace())
  await expect(failing).rejects.toBeInstanceOf(UsageError)
  await expect(failing).rejects.toThrow(reason)
})
