/** Links between two wallets: builds anew the text that the second one signs (src/guides/wire.md, "wallet-link"). */
import { writeCanonicalJson } from '../src/envelope/canonical-json.ts'
import type { TestApp } from './app.ts'
import { sol, type TestWallet } from './wallets.ts'

export const hub = 'eip155:84532'

export const plain = (wallet: TestWallet) => (wallet === sol ? wallet.address : wallet.address.toLowerCase())

export interface Link {
  readonly primary: TestWallet
  readonly primaryChain?: string
  readonly secondary: TestWallet
  readonly secondaryChain?: string
  /** The wallet that really signs. */
  readonly by?: TestWallet
  readonly at: number
  readonly title?: string
}

/** The signature of the secondary wallet over its own six lines. */
export async function innerOf({
  primary,
  primaryChain = hub,
  secondary,
  secondaryChain = hub,
  by = secondary,
  at,
  title,
}: Link) {
  const accounts = {
    primaryAccountId: `${primaryChain}:${plain(primary)}`,
    primaryWalletAddress: plain(primary),
    secondaryAccountId: `${secondaryChain}:${plain(secondary)}`,
    secondaryWalletAddress: plain(secondary),
  }
  const text = [
    title ?? 'Portable Proof Verification Request',
    `Wallet: ${plain(secondary)}`,
    `Chain: ${secondaryChain.replace(/^eip155:/, '')}`,
    'Verifiers: wallet-link',
    `Data: ${writeCanonicalJson(accounts)}`,
    `Timestamp: ${at}`,
  ].join('\n')
  return {
    accounts,
    text,
    signed: { signature: await by.sign(text), signatureMethod: by === sol ? 'ed25519' : 'eip191', signedTimestamp: at },
  }
}

/** The claim that the primary wallet signs. */
export async function linkClaim(app: TestApp, primary: TestWallet, secondary: TestWallet, more: object = {}) {
  const secondaryChain = secondary === sol ? 'solana:mainnet' : (secondary.signing.chain ?? hub)
  const { accounts, signed } = await innerOf({
    primary,
    primaryChain: primary === sol ? 'solana:mainnet' : (primary.signing.chain ?? hub),
    secondary,
    secondaryChain,
    at: app.now(),
  })
  const { primaryAccountId, secondaryAccountId } = accounts
  return { verifierIds: ['wallet-link'], data: { primaryAccountId, secondaryAccountId, ...signed, ...more } }
}

/** A stored link, and its id. */
export async function linkWallets(
  app: TestApp,
  primary: TestWallet,
  secondary: TestWallet,
  more: object = {},
  options: object = {},
) {
  const answer = await app.submit(primary, { ...(await linkClaim(app, primary, secondary, more)), options })
  if (answer.status !== 200) throw new Error(`no link: ${JSON.stringify(answer.body)}`)
  return answer.body.data.qHash as string
}
