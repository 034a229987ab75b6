/** Form fields for a contract and for its chain. */
import { type AssetChain, anyAddress, type Field, type Values } from '../form.ts'
import { form as words } from './words/en.ts'

export const defineChainField = (chains: readonly AssetChain[], only: 'evm' | 'any'): Field => ({
  name: 'chainId',
  label: words.chain,
  kind: 'choice',
  isRequired: true,
  isKept: true,
  options: chains
    .filter(({ chainId }) => only === 'any' || chainId !== undefined)
    .map(
      ({ chain, chainId, name }) => [chainId === undefined ? chain : String(chainId), `${name} (${chain})`] as const,
    ),
})

/** EVM chains by their number, all others by their CAIP-2 id. */
export const readChain = (values: Values): object => {
  const chain = values.text('chainId')
  return /^[0-9]+$/.test(chain) ? { chainId: Number(chain) } : { chain }
}

export const contractField: Field = {
  name: 'contractAddress',
  label: words.contract,
  isRequired: true,
  isKept: true,
  maxLength: 64,
  pattern: anyAddress,
  mustBe: words.contractMustBe,
  hint: '0x…',
}
