/** One wallet with a proof of every verifier that can be had without a provider: over HTTP, from real parts. */
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { startDns, txt } from '../parts/dns.ts'
import { agent, alice, bob, type TestWallet } from '../wallets.ts'

export const base = 8453
export const path = '/api/v1/proofs/check'
export const lower = (wallet: { readonly address: string }): string => wallet.address.toLowerCase()

export const asPublic = { privacyLevel: 'public' }
export const asListed = { privacyLevel: 'public', publicDisplay: true }

/** Makes a proof a millisecond later, and returns its id. */
export async function prove(
  app: TestApp,
  verifierIds: readonly string[],
  data: object,
  {
    wallet = alice,
    options = asListed,
    ...more
  }: { wallet?: TestWallet; options?: object; [member: string]: unknown } = {},
): Promise<string> {
  app.wait(1)
  const { status, body } = await app.submit(wallet, { verifierIds, data, options, ...more })
  if (status !== 200) throw new Error(`no proof of ${verifierIds}: ${JSON.stringify(body)}`)
  return body.data.qHash
}

/** `query` in the form of an object; the wallet is Alice's unless it says otherwise. */
export const checking =
  (app: TestApp, where = path) =>
  (
    query: Readonly<Record<string, string | number | boolean>>,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const words = Object.entries({ address: alice.address, ...query }).map(([name, value]) => [name, String(value)])
    return app.get(`${where}?${new URLSearchParams(words)}`, headers)
  }

export const checkHeaders = (app: TestApp, wallet: TestWallet = alice): Promise<Record<string, string>> =>
  app.ownerHeaders(wallet, {
    action: 'gate_check_private_proofs',
    walletAddress: wallet.signing.chain ? wallet.address : lower(wallet),
  })

/** The claim that Bob's wallet belongs to Alice's, signed by Bob's. */
export async function linkOf(app: TestApp): Promise<object> {
  const chain = 'eip155:84532'
  const accounts = {
    primaryAccountId: `${chain}:${lower(alice)}`,
    primaryWalletAddress: lower(alice),
    secondaryAccountId: `${chain}:${lower(bob)}`,
    secondaryWalletAddress: lower(bob),
  }
  const message = [
    'Portable Proof Verification Request',
    `Wallet: ${lower(bob)}`,
    'Chain: 84532',
    'Verifiers: wallet-link',
    `Data: ${writeCanonicalJson(accounts)}`,
    `Timestamp: ${app.now()}`,
  ].join('\n')
  const signature = await bob.sign(message)
  return { ...accounts, chain, signature, signatureMethod: 'eip191', signedTimestamp: app.now() }
}

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld() {
  const [anvil, dns] = await Promise.all([startAnvil({ chainId: base }), startDns()])
  const [art, coin, owned, oracle] = await Promise.all([
    deploy(anvil, 'Erc721'),
    deploy(anvil, 'Erc20', [6]),
    deploy(anvil, 'Owned', [alice.address]),
    deploy(anvil, 'SanctionsOracle'),
  ])
  for (const tokenId of [7n, 8n]) await art.write('mint', [alice.address, tokenId])
  await art.write('mint', [bob.address, 9n])
  await coin.write('mint', [alice.address, 500_000_000n])
  // wallet-risk looks for a sign of life.
  await anvil.send({ to: alice.address as `0x${string}`, value: 1n })
  dns.zone.set('_svc.example.test', [txt(`wallet=${lower(alice)}`)])

  const app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_CHAINS_BASE_CHAIN: `eip155:${base}`,
    PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: oracle.address,
    PROOFGATE_DNS_RESOLVERS: dns.address,
    PROOFGATE_MODERATION_TEXT: 'embedded',
    PROOFGATE_VERIFIERS_ENABLED:
      'ownership-basic,ownership-pseudonym,ownership-dns-txt,ownership-licensed,contract-ownership,nft-ownership,token-holding,wallet-risk,wallet-link,ai-content-moderation,agent-identity,agent-delegation',
  })
  const asset = { chainId: base }
  const qHashes = {
    basic: await prove(
      app,
      ['ownership-basic'],
      {
        owner: alice.address,
        content: 'A novel',
        contentType: 'text/plain',
        reference: { type: 'url', id: 'https://a.example/novel' },
      },
      { options: { ...asListed, meta: { tags: ['writing', 'first'] } } },
    ),
    pseudonym: await prove(app, ['ownership-pseudonym'], { pseudonymId: 'alice' }),
    domain: await prove(app, ['ownership-dns-txt'], { domain: 'Example.test' }),
    nft: await prove(app, ['nft-ownership'], { ...asset, contractAddress: art.address, tokenId: '7' }),
    token: await prove(app, ['token-holding'], { ...asset, contractAddress: coin.address, minBalance: '100.50' }),
    contract: await prove(app, ['contract-ownership'], { ...asset, contractAddress: owned.address }),
    risk: await prove(app, ['wallet-risk'], { walletAddress: alice.address, chain: 'base' }),
    link: await prove(app, ['wallet-link'], await linkOf(app)),
    moderation: await prove(app, ['ai-content-moderation'], { content: 'Good morning', contentType: 'text/plain' }),
    delegation: await prove(app, ['agent-delegation'], {
      controllerWallet: alice.address,
      agentWallet: agent.address,
      agentId: 'helper',
      scope: 'trade',
      model: 'secret-model',
    }),
    identity: await prove(
      app,
      ['agent-identity'],
      { agentId: 'helper', agentWallet: agent.address },
      { wallet: agent },
    ),
    licensed: await prove(app, ['ownership-licensed'], {
      content: 'A cover',
      owner: alice.address,
      license: { contractAddress: art.address, tokenId: '7', chainId: base, ownerAddress: alice.address },
      reference: { type: 'url', id: 'https://a.example/cover' },
    }),
  }
  return {
    app,
    anvil,
    dns,
    art,
    coin,
    owned,
    qHashes,
    async close() {
      await Promise.all([app.close(), anvil.stop(), dns.stop()])
    },
  }
}
