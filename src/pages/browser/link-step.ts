/** The second wallet of a wallet-link signs first, over its own six lines; then the first wallet signs for both. */
import { walletLinkId } from '../../verifiers/roles.ts'
import { type Person, readChain } from './person.ts'
import type { VerifyApi } from './verify-api.ts'

export interface SecondSigned {
  readonly data: object
  readonly address: string
}

interface Tools {
  readonly api: VerifyApi
  readonly hubChainId: number
  readonly isCurrent: () => boolean
}

const toPlain = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address)

/** Returns the `data` of the claim that the first wallet then signs. Errors: those of VerifyApi.sign. */
export async function signAsSecond(
  first: Person,
  second: Person,
  { api, hubChainId, isCurrent }: Tools,
): Promise<SecondSigned> {
  const [primaryChain, secondaryChain] = [readChain(first, hubChainId), readChain(second, hubChainId)]
  const accounts = {
    primaryAccountId: `${primaryChain}:${toPlain(first.address)}`,
    secondaryAccountId: `${secondaryChain}:${toPlain(second.address)}`,
    primaryWalletAddress: toPlain(first.address),
    secondaryWalletAddress: toPlain(second.address),
  }
  const signedTimestamp = api.now()
  const usual = second.context.chainId === undefined ? 'eip191' : 'eip1271'
  const { signature, signatureMethod = usual } = await api.sign(
    {
      walletAddress: second.address,
      verifierIds: [walletLinkId],
      data: accounts,
      signedTimestamp,
      chain: secondaryChain,
    },
    second.wallet!.connection,
    isCurrent,
  )
  const { primaryAccountId, secondaryAccountId } = accounts
  return {
    address: second.address,
    data: { primaryAccountId, secondaryAccountId, signature, signatureMethod, signedTimestamp },
  }
}
