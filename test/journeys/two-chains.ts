/**
 * A server with two chains. One address has a contract wallet on each chain, with different owners. A second address
 * has the same, and a key too: three accounts.
 */
import { contractWallet } from '../contract-wallet.ts'
import { startMcp } from '../mcp/mcp.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { alice, evmWallet, mallory, type TestWallet } from '../wallets.ts'

export const [hub, other] = ['eip155:84532', 'eip155:10']
export const lower = ({ address }: { readonly address: string }): string => address.toLowerCase()

export type TwoChains = Awaited<ReturnType<typeof startTwoChains>>

export async function startTwoChains(env: Record<string, string> = {}) {
  const anvils = await Promise.all([startAnvil({ chainId: 84532 }), startAnvil({ chainId: 10 })])
  // The first transaction of the same account makes the same address on both chains.
  const deployed = await Promise.all(
    anvils.map((anvil, at) => deploy(anvil, 'Wallet1271', [at === 0 ? alice.address : mallory.address])),
  )
  const [first, second] = deployed as [Deployed, Deployed]
  if (first.address !== second.address) throw new Error('the two contracts have different addresses')
  const app = await startMcp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_LOG_LEVEL: 'error',
    PROOFGATE_CHAINS_HUB_CHAIN: hub,
    PROOFGATE_CHAINS_HUB_RPC: anvils[0]!.url,
    PROOFGATE_CHAINS_OTHER_CHAIN: other,
    PROOFGATE_CHAINS_OTHER_RPC: anvils[1]!.url,
    ...env,
  })
  const key = evmWallet(`0x${'7'.repeat(64)}`)
  await Promise.all(anvils.map((anvil, at) => placeWallet(anvil, deployed[at]!, key.address)))

  return {
    app,
    anvils,
    /** Alice's and Mallory's: no key is at their address. */
    onHub: contractWallet(lower(first), hub, alice),
    onOther: contractWallet(lower(first), other, mallory),
    /** A key, and a contract of Alice's and one of Mallory's at its address. */
    key,
    keyOnHub: contractWallet(lower(key), hub, alice),
    keyOnOther: contractWallet(lower(key), other, mallory),

    /** Makes an access key for a wallet, and the headers that the JSON API and MCP endpoint accept. */
    async makeKey(wallet: TestWallet, scopes = ['core', 'profile', 'secrets']) {
      app.wait(1)
      const { headers } = await app.signIn(wallet)
      const { status, body } = await app.post('/api/v1/auth/profile-keys', { name: 'of a test', scopes }, headers)
      if (status !== 200) throw new Error(`no key: ${JSON.stringify(body)}`)
      return { token: body.data.key as string, headers: { authorization: `Bearer ${body.data.key}` } }
    },

    async close() {
      await app.close()
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}

/** The same contract wallet with the same signer at another address. */
async function placeWallet(anvil: Anvil, { address }: Deployed, at: string): Promise<void> {
  await anvil.rpc('anvil_setCode', [at, await anvil.publicClient.getCode({ address })])
  const signer = await anvil.publicClient.getStorageAt({ address, slot: '0x0' })
  await anvil.rpc('anvil_setStorageAt', [at, `0x${'0'.repeat(64)}`, signer])
}
