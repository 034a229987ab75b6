import { describe, expect, test } from 'bun:test'
import type { Example } from '../../src/gates/definition/policy-file.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { decideExample } from '../../src/gates/manage/example.ts'
import { startApp } from '../app.ts'

const { parts } = await startApp()
const nft = '0x00000000000000000000000000000000000000aa'

const gate: GateDefinition = {
  gateId: 'club',
  name: 'Club',
  requirements: [
    {
      verifierId: 'nft-ownership',
      match: [{ path: 'input.contractAddress', op: 'eq', value: nft }],
      maxAgeMs: 3_600_000,
    },
    { verifierId: 'wallet-risk', optional: true },
  ],
}
const holding = { verifierId: 'nft-ownership', data: { input: { contractAddress: nft, tokenId: '1' } } }

const decide = (example: Partial<Example>, definition: GateDefinition = gate) =>
  decideExample(definition, { name: 'x', expect: 'pass', ...example }, parts)

describe('an example of a policy file', () => {
  test('is decided like a check of the gate: a proof that fits passes', async () => {
    expect(await decide({ proofs: [holding] })).toMatchObject({ found: 'pass', reasons: [], isRight: true })
  })

  test.each<[string, Partial<Example>, string]>([
    ['no proof', {}, 'NO_PROOF'],
    [
      'another value',
      { proofs: [{ ...holding, data: { input: { contractAddress: nft.replace('aa', 'ab') } } }] },
      'WRONG_VALUE',
    ],
    ['an old proof', { proofs: [{ ...holding, ageHours: 1.5 }] }, 'TOO_OLD'],
    ['a revoked proof', { proofs: [{ ...holding, isRevoked: true }] }, 'REVOKED'],
    ['a proof that has ended', { proofs: [{ ...holding, ageHours: 0.5, expiresInHours: 0 }] }, 'EXPIRED'],
    ['a proof for somebody else', { proofs: [{ ...holding, subjectWallet: `0x${'1'.repeat(40)}` }] }, 'OTHER_SUBJECT'],
    [
      'a proof of a past block',
      { proofs: [{ ...holding, data: { input: { contractAddress: nft, blockNumber: 5 } } }] },
      'PAST_BLOCK',
    ],
  ])('fails for %s, and says why', async (_, example, code) => {
    const result = await decide({ ...example, expect: 'fail', because: code })
    expect(result.reasons.map((reason) => reason.code)).toEqual([code])
    expect(result.isRight).toBe(true)
    expect((await decide({ ...example, expect: 'fail', because: 'TOO_FEW' })).isRight).toBe(false)
    expect((await decide({ ...example, expect: 'pass' })).isRight).toBe(false)
  })

  test('data of a judged wallet counts only for the provider and the checks in the record', async () => {
    const requirement = (path: string, value: string): GateDefinition => ({
      ...gate,
      requirements: [{ verifierId: 'wallet-risk', match: [{ path, op: 'eq', value }] }],
    })
    const data = {
      policyVerified: true,
      sanctioned: false,
      poisoned: false,
      checked: ['sanctions', 'activity'],
      chosenByCaller: false,
      asked: [
        { provider: 'webacy', answered: false, reason: 'UNAVAILABLE' },
        { provider: 'chainalysis', answered: true },
      ],
    }
    const found = async (path: string, value: string) => {
      const { found, reasons } = await decide(
        { proofs: [{ verifierId: 'wallet-risk', data }] },
        requirement(path, value),
      )
      return found === 'pass' ? found : reasons.map(({ code }) => code).join()
    }
    expect(await found('provider', 'chainalysis')).toBe('pass')
    expect(await found('provider', 'webacy')).toBe('WRONG_VALUE')
    expect(await found('checked', 'sanctions')).toBe('pass')
    expect(await found('sanctioned', 'false')).toBe('pass')
    expect(await found('poisoned', 'false')).toBe('NOT_CHECKED')
    expect(await found('chosenByCaller', 'false')).toBe('pass')
  })

  test('counts proofs of final blocks where the gate asks for them, unless the example says otherwise', async () => {
    const final = { ...gate, requirements: [{ ...gate.requirements[0]!, final: true }] }
    expect((await decide({ proofs: [holding] }, final)).found).toBe('pass')
    const early = await decide(
      { proofs: [{ ...holding, isFinal: false }], expect: 'fail', because: 'NOT_FINAL' },
      final,
    )
    expect(early).toMatchObject({ found: 'fail', isRight: true })
  })

  test('is asked at the time it names, else when the schedule starts', async () => {
    const scheduled = { ...gate, schedule: { startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-02-01T00:00:00Z' } }
    const proofs = [holding]
    expect((await decide({ proofs }, scheduled)).found).toBe('pass')
    for (const at of ['2026-12-31T23:59:59Z', '2027-02-01T00:00:00Z']) {
      const { found, reasons } = await decide({ proofs, at, expect: 'fail' }, scheduled)
      expect({ found, codes: reasons.map(({ code }) => code) }).toEqual({ found: 'fail', codes: ['OUTSIDE_SCHEDULE'] })
    }
  })

  test('several proofs of one claim count once, whichever is written first', async () => {
    const two: GateDefinition = { ...gate, requirements: [{ ...gate.requirements[0]!, minCount: 2 }] }
    const again = { ...holding, ageHours: 0.5 }
    const tooOld = { ...holding, ageHours: 1.5 }
    expect((await decide({ proofs: [holding, tooOld] })).found).toBe('pass')
    expect((await decide({ proofs: [tooOld, holding] })).found).toBe('pass')
    const other = { ...holding, data: { input: { contractAddress: nft, tokenId: '2' } } }
    expect((await decide({ proofs: [holding, other] }, two)).found).toBe('pass')
    expect((await decide({ proofs: [holding, again] }, two)).found).toBe('fail')
  })

  test('a proof may carry rows of several verifiers', async () => {
    const rows = [
      { verifierId: 'nft-ownership', data: holding.data },
      { verifierId: 'wallet-risk', data: { policyVerified: true } },
    ]
    const both: GateDefinition = { ...gate, rule: { all: ['r1', 'r2'] } }
    expect((await decide({ proofs: [{ rows }] }, both)).found).toBe('pass')
    expect((await decide({ proofs: [holding], expect: 'fail' }, both)).reasons).toMatchObject([
      { id: 'r2', code: 'NO_PROOF' },
    ])
  })
})
