/** The world of the README's examples: a chain with three contracts, and a domain. */
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { type DnsServer, startDns, txt } from '../parts/dns.ts'

export interface World {
  readonly anvil: Anvil
  /** A text of the README with the addresses of this world. */
  here(text: string): string
  /** Gives the wallet everything that the examples claim. */
  serves(wallet: string): Promise<void>
  /** Gives the wallet the tokens for a payment. */
  pays(wallet: string): Promise<void>
  stop(): Promise<void>
}

/** Addresses that the first contracts of a fresh chain get: those of the README. */
const named = {
  nft: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  token: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  owned: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
}

export async function startWorld(): Promise<World> {
  const timestamp = Math.floor(Date.now() / 1000)
  const anvil: Anvil = await startAnvil({ chainId: 8453, timestamp, args: ['--block-time', '1', '--mixed-mining'] })
  const dns: DnsServer = await startDns()
  const nft: Deployed = await deploy(anvil, 'Erc721')
  const token: Deployed = await deploy(anvil, 'Erc20', [6])
  const owned: Deployed = await deploy(anvil, 'Owned', [anvil.accounts[0].address])
  for (const [name, contract] of Object.entries({ nft, token, owned }))
    if (contract.address.toLowerCase() !== named[name as keyof typeof named].toLowerCase())
      throw new Error(`${name} is at ${contract.address}, not where the README says`)

  async function pays(wallet: string): Promise<void> {
    await token.write('mint', [wallet, 10_000_000n])
    await anvil.send({ to: wallet as `0x${string}`, value: 10n ** 18n })
  }

  let served: string | undefined
  return {
    anvil,
    here: (text) =>
      text
        .replace('https://rpc.example.com/<key>', anvil.url)
        .replace('https://rpc2.example.com', 'http://127.0.0.1:1')
        .replace('9.9.9.9', dns.address)
        .replaceAll('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', token.address),
    async serves(wallet) {
      if (served === wallet) return
      served = wallet
      await nft.write('mint', [wallet, 7n])
      await pays(wallet)
      await owned.write('transferOwnership', [wallet])
      dns.zone.set('_svc.example.com', [txt(`wallet=${wallet.toLowerCase()}`)])
    },
    pays,
    async stop() {
      await Promise.all([anvil.stop(), dns.stop()])
    },
  }
}
