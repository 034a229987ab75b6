/** The data of an owner action is refused before a wallet signs a text that nothing takes. */
import { describe, expect, test } from 'bun:test'
import { type OwnerActionName, ownerActions } from '../../src/auth/owner-action.ts'
import { type Answer, startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { alice, bob } from '../wallets.ts'

const standardize = '/api/v1/verification/standardize'
const own = alice.address.toLowerCase()
const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const qHash = `0x${'ab'.repeat(32)}`

type Member = (typeof ownerActions)[OwnerActionName]['members'][number]

/** The type asks for each member of each action. */
const whole: Readonly<Record<Member, readonly [good: unknown, ...bad: unknown[]]>> = {
  qHash: [qHash, '0x12', 5, '<qHash>', `${qHash}0`],
  walletAddress: [own, '<walletAddress>', bob.address, 5, null],
  viewerWallet: [bob.address, '<viewerWallet>', '0x12', 5, ''],
  expiresInSeconds: [900, '900', 1, 1.5],
  gateId: ['gate_a', '<gateId>', '', 5],
  visibility: ['unlisted', 'hidden', 'Private', '', 5, '<visibility>'],
  digest: [qHash, '0x12', '<digest>', qHash.toUpperCase()],
  version: [1, '1', 0, 1.5, '<version>'],
  status: ['paused', 'gone', '<status>', 1],
  archived: [true, 'true', 1, '<archived>'],
  identity: ['tx:eip155:8453:0x1f', '', '<identity>', 5],
  transactionHash: [qHash, '0x12', 5],
}

const prepare = (data: object): Promise<Answer> =>
  app.post(standardize, {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    data,
    signedTimestamp: app.now(),
  })

describe.each(Object.entries(ownerActions))('standardize makes the text of %s', (action, row) => {
  const { members, optional = [] } = row as { members: readonly Member[]; optional?: readonly Member[] }
  const data = { action, ...Object.fromEntries(members.map((member) => [member, whole[member][0]])) }

  test('with all its members, without the optional ones, and with the audience', async () => {
    const least = Object.fromEntries(Object.entries(data).filter(([member]) => !optional.includes(member as Member)))
    for (const good of [data, least, { ...least, audience: 'localhost:8787' }])
      expect([(await prepare(good)).status, good]).toEqual([200, good])
  })

  test('a missing, malformed or unknown member is refused by its name', async () => {
    const expectNamed = async (bad: object, member: string) => {
      const answer = await prepare(bad)
      expectRefused(answer, 'VALIDATION_ERROR', new RegExp(`data\\.${member}\\b`))
      expect(answer.body.error.details).toMatchObject({ path: `/data/${member}`, action })
    }
    for (const member of members) {
      const { [member]: _, ...rest } = data as Record<string, unknown>
      if (!optional.includes(member)) await expectNamed(rest, member)
      for (const value of whole[member].slice(1)) await expectNamed({ ...rest, [member]: value }, member)
    }
    await expectNamed({ ...data, reason: 'why' }, 'reason')
  })
})

test('a share without an end is prepared', async () => {
  const data = { action: 'grant_proof_access', qHash, viewerWallet: `eip155:1:${bob.address}`, expiresInSeconds: null }
  expect((await prepare(data)).status).toBe(200)
})

describe('an unknown action', () => {
  test.each([
    ['erase_all', 'erase_all_proofs'],
    ['revoke-proof', 'revoke_proof'],
    ['revokeProofs', 'revoke_proof'],
    ['listgates', 'list_gates'],
    ['grant', 'grant_proof_access'],
  ])('%s is refused with the nearest known one', async (action, near) => {
    const answer = await prepare({ action, walletAddress: own })
    expectRefused(answer, 'INVALID_VERIFIER_DATA', new RegExp(`no owner action "${action}".*nearest.* ${near}\\b`))
    expect(answer.body.error.details).toMatchObject({ path: '/action', actions: Object.keys(ownerActions) })
  })

  test.each(['make_tea', 5, null, 'x'.repeat(5000), 'constructor'])(
    '%p is refused with all known ones',
    async (action) => {
      const answer = await prepare({ action })
      expectRefused(answer, 'INVALID_VERIFIER_DATA', /there is no owner action .*list_gates/)
      expect(answer.body.error.message.length).toBeLessThan(700)
    },
  )

  test('with an owner member is treated as a claim, and its missing owner is reported', async () => {
    const claim = { owner: alice.address, content: 'Hello', action: 'erase_all' }
    expect((await prepare(claim)).status).toBe(200)
    expect((await prepare({ 'ownership-basic': claim, action: 'erase_all' })).status).toBe(200)
    expectRefused(await prepare({ content: 'Hello', action: 'wave' }), 'INVALID_VERIFIER_DATA', /owner/)
  })
})
