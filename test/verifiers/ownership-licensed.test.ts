import { afterAll, describe, expect, test } from 'bun:test'
import { keccak256, toBytes } from 'viem'
import { startApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { evidenceIn, failed, refused } from './ask.ts'
import { askingCarefully, asks, base, expectAbsentWithoutChain, expectBlock, expectUnavailable } from './assets.ts'

const id = 'ownership-licensed'
const lower = (address: string) => address.toLowerCase()

const anvil = await startAnvil({ chainId: base })
afterAll(() => anvil.stop())
const [art, multi] = await Promise.all([deploy(anvil, 'Erc721'), deploy(anvil, 'Erc1155')])
await art.write('mint', [alice.address, 7n])
await art.write('mint', [bob.address, 8n])
await multi.write('mint', [alice.address, 5n, 3n])

const app = await startApp({ ...asks(anvil.url), PROOFGATE_VERIFIERS_ENABLED: 'ownership-basic,ownership-licensed' })
const ask = askingCarefully(app, id)
const license = { contractAddress: art.address, tokenId: '7', chainId: base, ownerAddress: alice.address }
const claim = { content: 'A print of the picture.', owner: alice.address, license }
const accepted = (data: object, more: object = {}) => {
  app.wait(1)
  return app.submit(alice, { verifierIds: [id], data, ...more })
}

describe('ownership-licensed (src/guides/wire.md, "ownership-licensed") holds', () => {
  test('for content under an ERC-721 license of the signer; the evidence has its hash, not the content', async () => {
    const answer = await accepted({ ...claim, reference: { type: 'url', id: 'https://example.com/print' } })
    const evidence = evidenceIn(answer)
    await expectBlock(anvil, evidence)
    const { blockNumber, blockHash, blockTime } = evidence.onChainData
    expect(answer.body.data.verifiedVerifiers[0].status).toBe('licensed_ownership_verified')
    expect(evidence).toEqual({
      owner: lower(alice.address),
      contentHash: keccak256(toBytes(claim.content)),
      reference: { type: 'url', id: 'https://example.com/print' },
      license: { ...license, ownerAddress: lower(alice.address), type: 'erc721' },
      onChainData: { actualOwner: lower(alice.address), chain: `eip155:${base}`, blockNumber, blockHash, blockTime },
      sources: ['chains.base.rpc[0]'],
      verificationTimestamp: app.now(),
    })
  })

  test('for an ERC-1155 license', async () => {
    const shared = { ...license, contractAddress: multi.address, tokenId: '005', type: 'erc1155' }
    expect(evidenceIn(await accepted({ ...claim, license: shared })).license).toMatchObject({
      tokenId: '5',
      type: 'erc1155',
    })
  })

  test('leaving out its content, unless the request asks to keep it', async () => {
    const open = { privacyLevel: 'public' }
    const shown = async (options: object) => {
      const { body } = await accepted(claim, { options })
      return (await app.get(`/api/v1/proofs/${body.data.qHash}`)).body.data
    }
    expect(await shown({ ...open, storeOriginalContent: true })).toMatchObject({
      publicContent: { content: claim.content },
    })
    const hidden = await shown(open)
    expect(hidden.contentResolutionStatus).toBe('hash_only_not_recoverable')
    expect(JSON.stringify(hidden)).not.toContain(claim.content)
  })

  test('once per content and license', async () => {
    const own = await startApp({ ...asks(anvil.url), PROOFGATE_VERIFIERS_ENABLED: id })
    const options = { privacyLevel: 'public', publicDisplay: true }
    for (const content of ['one', 'two', 'one']) {
      own.wait(1)
      await own.submit(alice, { verifierIds: [id], data: { ...claim, content }, options })
    }
    expect((await own.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.proofs).toHaveLength(2)
  })
})

describe('ownership-licensed fails:', () => {
  test.each<[string, object, object, string]>([
    ['the owner is not the signer', { owner: bob.address }, {}, 'OWNER_MISMATCH'],
    [
      'the license is said to be somebody else’s',
      {},
      { ownerAddress: bob.address, tokenId: '8' },
      'LICENSE_OWNER_MISMATCH',
    ],
    ['the license is somebody else’s', {}, { tokenId: '8' }, 'NOT_TOKEN_OWNER'],
    ['there is no such license', {}, { tokenId: '404' }, 'TOKEN_NOT_FOUND'],
    ['the license is of another standard', {}, { type: 'erc1155' }, 'NOT_ERC1155'],
    ['nobody lives at the address', {}, { contractAddress: mallory.address }, 'NO_CONTRACT'],
  ])('%s', async (_, change, licenseChange, reason) => {
    expect(await ask(alice, { ...claim, ...change, license: { ...license, ...licenseChange } })).toMatchObject(
      failed(id, reason),
    )
  })

  test('a Solana wallet signs', async () => {
    expect(await ask(sol, claim)).toMatchObject(failed(id, 'OWNER_MISMATCH'))
  })
})

describe('ownership-licensed is refused:', () => {
  const withLicense = (change: object) => ({ ...claim, license: { ...license, ...change } })

  test.each<[string, object, string]>([
    ['no content', { ...claim, content: undefined }, '/content'],
    ['empty content', { ...claim, content: '' }, '/content'],
    ['content of 10,001 characters', { ...claim, content: 'x'.repeat(10_001) }, '/content'],
    ['no license', { ...claim, license: undefined }, '/license'],
    ['a member that is not known', { ...claim, price: 1 }, '/price'],
    ['a member of the license that is not known', withLicense({ terms: 'x' }), '/license/terms'],
    ['a token id in hexadecimal digits', withLicense({ tokenId: '0x7' }), '/license/tokenId'],
    ['a token id of 257 bits', withLicense({ tokenId: String(2n ** 256n) }), '/license/tokenId'],
    ['a chain that is not configured', withLicense({ chainId: 1 }), '/license/chainId'],
    ['an unknown standard', withLicense({ type: 'erc20' }), '/license/type'],
    ['a reference of a type that others have', { ...claim, reference: { type: 'doc', id: 'x' } }, '/reference/type'],
    [
      'a reference that is no whole address',
      { ...claim, reference: { type: 'url', id: 'https:e.example' } },
      '/reference/id',
    ],
    ['a reference of 501 characters', { ...claim, reference: { type: 'url', id: 'x'.repeat(501) } }, '/reference/id'],
  ])('%s', async (_, data, path) => {
    expect(await ask(alice, data)).toMatchObject(refused(id, path))
  })

  test('another subject than the signer', async () => {
    const { status, body } = await ask(bob, claim, { subjectWallet: alice.address })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { path: '/subjectWallet' } })
  })
})

describe('ownership-licensed when it cannot look', () => {
  test('says so, says when to try again, and stores no proof', () => expectUnavailable(id, alice, claim))

  test('is absent from a server without a chain', () => expectAbsentWithoutChain(id, alice, claim))
})

test('ownership-licensed is switched off until the operator names it, and the refusal says so', async () => {
  const plain = await startApp(asks(anvil.url))
  const { body } = await plain.submit(alice, { verifierIds: [id], data: claim })
  expect(body.error).toMatchObject({
    code: 'VERIFIER_NOT_FOUND',
    message: expect.stringContaining('verifiers.enabled'),
  })
})
