/** Two contract wallets at one address, on two chains, of two people: the address alone says nothing. */
import { expect } from 'bun:test'
import { contractWallet } from './contract-wallet.ts'
import { startAnvil } from './parts/anvil.ts'
import { type Deployed, deploy } from './parts/contracts/contracts.ts'
import { alice, mallory } from './wallets.ts'

export type TwinWallets = Awaited<ReturnType<typeof startTwinWallets>>

/** The chains are CAIP-2 ids: on the first the wallet is Alice's, on the second Mallory's. */
export async function startTwinWallets(here: string, there: string) {
  const anvils = await Promise.all([here, there].map((chain) => startAnvil({ chainId: Number(chain.split(':')[1]) })))
  // The first transaction of the same account makes the same address on both chains.
  const owners = [alice.address, mallory.address]
  const wallets = await Promise.all(anvils.map((anvil, at) => deploy(anvil, 'Wallet1271', [owners[at]])))
  const [wallet, twin] = wallets as [Deployed, Deployed]
  expect(twin.address).toBe(wallet.address)
  const address = wallet.address.toLowerCase()
  return {
    anvils,
    wallets,
    ofAlice: contractWallet(address, here, alice),
    ofMallory: contractWallet(address, there, mallory),
    /** Environment of a server that reads both chains. */
    env: {
      PROOFGATE_CHAINS_HERE_CHAIN: here,
      PROOFGATE_CHAINS_HERE_RPC: anvils[0]!.url,
      PROOFGATE_CHAINS_THERE_CHAIN: there,
      PROOFGATE_CHAINS_THERE_RPC: anvils[1]!.url,
    },
    stop: () => Promise.all(anvils.map((anvil) => anvil.stop())),
  }
}
