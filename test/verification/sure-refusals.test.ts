/** Refusals that need neither clock, store nor network come before the wallet signs. */
import { describe, expect, test } from 'bun:test'
import { verifierIds } from '../../src/verifiers/index.ts'
import { startApp } from '../app.ts'
import { startMcp } from '../mcp/mcp.ts'
import proofs from '../vectors/semaphore.json'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

const path = '/api/v1/verification'
/** An address without a listener: the discard port. No test sends a request there. */
const nobody = 'http://127.0.0.1:9'
const settings = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_LOG_LEVEL: 'error',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
  PROOFGATE_VERIFIERS_ENABLED: verifierIds.join(','),
  PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
  PROOFGATE_CHAINS_BASE_RPC: nobody,
  PROOFGATE_CHAINS_SOL_CHAIN: 'solana:mainnet',
  PROOFGATE_CHAINS_SOL_RPC: nobody,
  PROOFGATE_DNS_RESOLVERS: '127.0.0.1:9',
  PROOFGATE_RISK_PROVIDER: 'goplus',
  PROOFGATE_RISK_GOPLUS_URL: nobody,
  PROOFGATE_HUMAN_SEMAPHORE_ROOTS: proofs.adaForAlice.merkleTreeRoot,
  PROOFGATE_SOCIAL_GITHUB_PROVIDER: 'github',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_ID: 'proofgate',
  PROOFGATE_SOCIAL_GITHUB_CLIENT_SECRET: 'a-secret-of-this-server-0123456789',
  PROOFGATE_SOCIAL_GOOGLE_PROVIDER: 'google',
  PROOFGATE_SOCIAL_GOOGLE_CLIENT_ID: 'proofgate',
  PROOFGATE_SOCIAL_GOOGLE_CLIENT_SECRET: 'a-secret-of-this-server-0123456789',
}
const app = await startApp(settings)

const untrue = 'VERIFICATION_FAILED'
const unusable = 'INVALID_VERIFIER_DATA'
const hash = `0x${'ab'.repeat(32)}`
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const basic = { owner: alice.address, content: 'Hello' }
const identity = { agentId: 'a', agentWallet: alice.address }
const delegation = { controllerWallet: alice.address, agentWallet: bob.address }
const otherAccount = `eip155:84532:${bob.address.toLowerCase()}`
const contract = { contractAddress: bob.address, chainId: 8453 }
const onSolana = { contractAddress: mint, chain: 'solana:mainnet' }
const token = { ...contract, minBalance: '1' }
const nft = { ...contract, tokenId: '1' }
const license = { contractAddress: bob.address, tokenId: '1', chainId: 8453, ownerAddress: alice.address }
const licensed = { content: 'Hello', owner: alice.address, license: license }
const person = { provider: 'semaphore', proofs: [proofs.adaForAlice], queryResult: {} }
const social = { provider: 'github', internalSocialToken: 'x' }
const organization = { provider: 'google', internalSocialToken: 'x' }
const words = { content: 'Hello', contentType: 'text/plain' }
const link = {
  primaryWalletAddress: alice.address,
  secondaryWalletAddress: bob.address,
  chain: 'eip155:84532',
  signature: `0x${'11'.repeat(65)}`,
  signatureMethod: 'eip191',
  signedTimestamp: app.now(),
}

/** Verifier, data, and the code; for an untrue claim, the reason. */
type Refusal = readonly [id: string, what: string, data: object, answer: string, by?: TestWallet, more?: object]
const refused: readonly Refusal[] = [
  ['ownership-basic', 'somebody else as the owner', { ...basic, owner: bob.address }, 'OWNER_MISMATCH'],
  ['ownership-basic', 'a hash of other content', { ...basic, contentHash: hash }, 'CONTENT_HASH_MISMATCH'],
  ['ownership-basic', 'nothing to point at', { owner: alice.address }, unusable],
  ['ownership-basic', 'a link that is none', { ...basic, reference: { type: 'url', id: 'javascript:1' } }, unusable],
  ['ownership-social', 'somebody else', { ...social, walletAddress: bob.address }, 'WALLET_MISMATCH'],
  ['ownership-social', 'a provider that is not here', { ...social, provider: 'nowhere' }, unusable],
  ['ownership-social', 'a provider of organizations', organization, 'NOT_A_SOCIAL_PROVIDER'],
  ['ownership-pseudonym', 'a foreign namespace', { pseudonymId: 'alice', namespace: 'elsewhere' }, unusable],
  ['ownership-pseudonym', 'large metadata', { pseudonymId: 'alice', metadata: { x: 'x'.repeat(5000) } }, unusable],
  ['ownership-dns-txt', 'an address for a domain', { domain: '127.0.0.1' }, unusable],
  ['ownership-dns-txt', 'a name that is too long', { domain: `${'a.'.repeat(123)}example` }, unusable],
  ['ownership-dns-txt', 'somebody else', { domain: 'example.com', walletAddress: bob.address }, 'WALLET_MISMATCH'],
  ['ownership-org-oauth', 'somebody else', { ...organization, walletAddress: bob.address }, 'WALLET_MISMATCH'],
  ['ownership-org-oauth', 'a provider that is not here', { ...organization, provider: 'nowhere' }, unusable],
  ['ownership-org-oauth', 'a provider of accounts', social, 'NOT_AN_ORG_PROVIDER'],
  ['ownership-org-oauth', 'a domain that is none', { ...organization, expectedOrgDomain: 'localhost' }, unusable],
  ['ownership-licensed', 'somebody else as the owner', { ...licensed, owner: bob.address }, 'OWNER_MISMATCH'],
  [
    'ownership-licensed',
    'a license of somebody else',
    { ...licensed, license: { ...license, ownerAddress: bob.address } },
    'LICENSE_OWNER_MISMATCH',
  ],
  ['ownership-licensed', 'a chain that is not here', { ...licensed, license: { ...license, chainId: 1 } }, unusable],
  [
    'ownership-licensed',
    'a token id that is too large',
    { ...licensed, license: { ...license, tokenId: '9'.repeat(78) } },
    unusable,
  ],
  ['ownership-licensed', 'a link that is none', { ...licensed, reference: { type: 'url', id: 'x' } }, unusable],
  ['contract-ownership', 'somebody else', { ...contract, walletAddress: bob.address }, 'OWNER_MISMATCH'],
  ['contract-ownership', 'a chain that is not here', { ...contract, chainId: 1 }, unusable],
  ['contract-ownership', 'a wallet of another kind of chain', contract, unusable, sol],
  ['nft-ownership', 'somebody else', { ...nft, ownerAddress: bob.address }, 'OWNER_MISMATCH'],
  [
    'nft-ownership',
    'a subject that is not the one in data',
    { ...nft, ownerAddress: alice.address },
    'OWNER_MISMATCH',
    alice,
    { subjectWallet: bob.address },
  ],
  ['nft-ownership', 'a chain that is not here', { ...nft, chainId: 1 }, unusable],
  ['nft-ownership', 'no chain', { contractAddress: bob.address, tokenId: '1' }, unusable],
  ['nft-ownership', 'two chains', { ...nft, chain: 'eip155:8453' }, unusable],
  ['nft-ownership', 'a token id that is none', { ...nft, tokenId: 'one' }, unusable],
  ['nft-ownership', 'a mint on an EVM chain', { ...nft, contractAddress: mint }, unusable],
  ['nft-ownership', 'a block of Solana', { ...onSolana, tokenId: '0', blockNumber: 1 }, unusable, sol],
  ['nft-ownership', 'ERC-1155 on Solana', { ...onSolana, tokenId: '0', tokenType: 'erc1155' }, unusable, sol],
  ['nft-ownership', 'another token than the mint', { ...onSolana, tokenId: '7' }, unusable, sol],
  ['token-holding', 'somebody else', { ...token, ownerAddress: bob.address }, 'OWNER_MISMATCH'],
  ['token-holding', 'a chain that is not here', { ...token, chainId: 1 }, unusable],
  ['token-holding', 'at least nothing', { ...token, minBalance: '0.0' }, unusable],
  ['token-holding', 'a block of Solana', { ...onSolana, minBalance: '1', blockNumber: 1 }, unusable, sol],
  ['wallet-risk', 'somebody else', { walletAddress: bob.address }, 'WALLET_MISMATCH'],
  ['wallet-risk', 'two networks', { walletAddress: alice.address, chain: 'eth', chainId: 8453 }, unusable],
  ['wallet-risk', 'a wallet of another network', { walletAddress: alice.address, chain: 'sol' }, unusable],
  [
    'wallet-risk',
    'a provider that is not the caller’s',
    { walletAddress: alice.address, provider: 'webacy' },
    unusable,
  ],
  [
    'wallet-link',
    'another wallet as the first',
    { ...link, primaryWalletAddress: sol.address, primaryChainRef: 'solana:mainnet' },
    'PRIMARY_MISMATCH',
  ],
  ['wallet-link', 'one wallet twice', { ...link, secondaryWalletAddress: alice.address }, 'SAME_WALLET'],
  ['wallet-link', 'no second wallet', { ...link, secondaryWalletAddress: undefined }, unusable],
  ['wallet-link', 'two wallets for one', { ...link, primaryAccountId: otherAccount }, unusable],
  ['wallet-link', 'a time in seconds', { ...link, signedTimestamp: 1_700_000_000 }, 'VALIDATION_ERROR'],
  ['proof-of-human', 'a scope that is not here', { ...person, scope: 'elsewhere' }, unusable],
  ['proof-of-human', 'a provider that is not here', { ...person, provider: 'worldid' }, unusable],
  ['ai-content-moderation', 'a provider that is not the caller’s', { ...words, provider: 'openai' }, unusable],
  [
    'ai-content-moderation',
    'a picture where nobody judges any',
    { content: 'AAAA', contentType: 'image/png' },
    unusable,
  ],
  ['ai-content-moderation', 'a reference', { ...words, content: 'ipfs://x' }, unusable],
  ['agent-identity', 'another wallet', { ...identity, agentWallet: bob.address }, 'AGENT_WALLET_MISMATCH'],
  ['agent-identity', 'another account', { ...identity, agentAccountId: otherAccount }, 'ACCOUNT_ID_MISMATCH'],
  ['agent-identity', 'a picture that is a script', { ...identity, avatar: 'javascript:1' }, unusable],
  [
    'agent-identity',
    'a service that is a script',
    { ...identity, services: [{ name: 'a', endpoint: 'javascript:1' }] },
    unusable,
  ],
  ['agent-delegation', 'an end in the past', { ...delegation, expiresAt: app.now() - 60_000 }, 'DELEGATION_EXPIRED'],
  ['agent-delegation', 'an end in seconds', { ...delegation, expiresAt: 1_893_456_000 }, 'VALIDATION_ERROR'],
  ['agent-delegation', 'another controller', { ...delegation, controllerWallet: bob.address }, 'CONTROLLER_MISMATCH'],
  ['agent-delegation', 'another account', { ...delegation, controllerAccountId: otherAccount }, 'ACCOUNT_ID_MISMATCH'],
  [
    'agent-delegation',
    'another account of the agent',
    { ...delegation, agentAccountId: `eip155:84532:${alice.address.toLowerCase()}` },
    'ACCOUNT_ID_MISMATCH',
  ],
]

/** Builds the text from a harmless one, because standardize gives none for these. */
async function sign(body: Record<string, unknown>, by: TestWallet): Promise<string> {
  const harmless = { ...body, verifierIds: ['ownership-basic'], data: { owner: by.address, content: 'x' } }
  const prepared = await app.post(`${path}/standardize`, { ...harmless, subjectWallet: undefined })
  const lines = (prepared.body.data.signerString as string).split('\n')
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, member]) => [name, sorted(member)]),
          )
        : value
  lines[3] = `Verifiers: ${(body.verifierIds as string[]).join(',')}`
  lines[4] = `Data: ${JSON.stringify(sorted(body.data))}`
  return by.sign(lines.join('\n'))
}

const bodyOf = ([id, , data, , by = alice, more = {}]: Refusal): Record<string, unknown> => ({
  walletAddress: by.address,
  verifierIds: [id],
  data: JSON.parse(JSON.stringify(data)),
  signedTimestamp: app.now(),
  ...by.signing,
  ...more,
})

describe('a claim that is sure to be refused', () => {
  test('is refused before signing for every verifier', () => {
    expect([...new Set(refused.map(([id]) => id))].sort()).toEqual([...verifierIds].sort())
  })

  test.each(refused.map((one) => [`${one[0]}: ${one[1]}`, one] as const))('%s', async (_, refusal) => {
    const [, , , answer, by = alice] = refusal
    const body = bodyOf(refusal)
    const signature = await sign(body, by)
    const late = await app.post(path, { ...body, signature })
    const early = await app.post(`${path}/standardize`, body)
    const { code, message, details } = late.body.error
    expect(code === untrue ? details.reason : code).toBe(answer)
    expect([early.status, early.body.error]).toMatchObject([late.status, { code, message }])
    expect(early.body.error.details).toEqual(details)
    const { data } = (await app.post(`${path}/diagnose`, { ...body, signature })).body
    expect(data.reason).toBe('signature_valid')
    expect(data.diagnosis.refusal).toEqual({ status: late.status, code, message, details })
    expect(data.diagnosis.message).toBe(`the signature is accepted, and verification refuses the claim: ${message}`)
  })
})

describe('a claim that may still hold is prepared', () => {
  const prepare = (verifiers: string[], data: object, more: object = {}) =>
    app.post(`${path}/standardize`, {
      walletAddress: alice.address,
      verifierIds: verifiers,
      data,
      signedTimestamp: app.now(),
      ...more,
    })

  test('one claim of two that holds makes a proof', async () => {
    const data = {
      'ownership-basic': { ...basic, owner: bob.address },
      'ownership-pseudonym': { pseudonymId: 'alice' },
    }
    const claim = { verifierIds: Object.keys(data), data }
    const made = await app.submit(alice, claim)
    expect(made.status).toBe(200)
    expect(made.body.data.verifiedVerifiers.map(({ verified }: { verified: boolean }) => verified)).toEqual([
      false,
      true,
    ])
  })

  test('two claims that are untrue are both named', async () => {
    const data = {
      'ownership-basic': { ...basic, owner: bob.address },
      'agent-identity': { ...identity, agentWallet: bob.address },
    }
    const { body } = await prepare(Object.keys(data), data)
    expect(body.error.details.verifiers.map(({ reason }: { reason: string }) => reason)).toEqual([
      'OWNER_MISMATCH',
      'AGENT_WALLET_MISMATCH',
    ])
  })

  test('when the outcome depends on the time', async () => {
    const day = 86_400_000
    expect((await prepare(['ownership-basic'], basic, { signedTimestamp: app.now() - day })).status).toBe(200)
    expect((await prepare(['agent-delegation'], { ...delegation, expiresAt: app.now() + 1 })).status).toBe(200)
    expect((await prepare(['wallet-link'], { ...link, signedTimestamp: app.now() - day })).status).toBe(200)
  })
})

describe('over MCP', () => {
  const tool = async (args: object, env: Record<string, string> = {}) => {
    const mcp = await startMcp({ PROOFGATE_LIMITS_ENABLED: 'false', ...env })
    return (await mcp.tool(await mcp.tokenOf(), 'svc_verify', args)).data
  }
  const claim = { verifierIds: ['ownership-basic'], walletAddress: bob.address, data: { content: 'Hello' } }

  test('no text is prepared for an untrue claim, or for refused options', async () => {
    const other = await tool({ ...claim, data: { content: 'Hello', owner: alice.address } })
    expect(other).toMatchObject({ success: false, result: 'Blocked' })
    expect(other.message).toContain('data.owner is')
    const published = await tool({ ...claim, options: { publishToHub: true } })
    expect(published.error).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(published).not.toHaveProperty('prepared')
  })

  test('an option without effect is named with the text and with the proof', async () => {
    const options = { publicDisplay: true }
    const told = [expect.stringMatching(/^options\.publicDisplay has no effect/)]
    expect(await tool({ ...claim, options })).toMatchObject({ result: 'Action needed', warnings: told })
    expect(await tool({ ...claim, walletAddress: alice.address, options })).toMatchObject({
      result: 'Passed',
      warnings: told,
    })
    expect(await tool(claim)).not.toHaveProperty('warnings')
  })
})
