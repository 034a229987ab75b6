/**
 * Computes a quote in each token: the price, and digits below a cent that are unique among the recipient's quotes. When
 * the digits of millionths are used up, tokens with more decimals carry finer ones. The digits identify a transfer
 * regardless of its sender, which may be an exchange.
 */
import { encodeFunctionData, erc20Abi, formatUnits } from 'viem'
import type { Hex } from '../../outside/chains/chain.ts'
import { areSameAddress } from '../../wallet/account.ts'
import { convertUsd } from '../amount.ts'
import type { PaymentTools, QuotedTransfer, WalletTransfer } from '../payment.ts'
import { formatUsd } from '../price.ts'
import { suffixStep, type TransferQuote } from '../quote-store.ts'
import type { Token } from '../token.ts'
import { listTokens } from '../token-transfers/tokens.ts'

/** The digits are millionths of a dollar: tokens with fewer decimals cannot carry them. */
const fewestDecimals = 6
/** The finer digits are millionths of those. */
const fewestFineDecimals = 12

type Amounts = Pick<TransferQuote, 'usdMicros' | 'suffix'>

/** Undefined for a token that cannot carry the digits. */
export const computeQuotedUnits = (
  { usdMicros, suffix }: Amounts,
  { decimals }: Pick<Token, 'decimals'>,
): bigint | undefined => {
  const fine = Math.floor(suffix / suffixStep)
  if (decimals < (fine === 0 ? fewestDecimals : fewestFineDecimals)) return undefined
  const units = convertUsd(formatUsd(usdMicros + (suffix % suffixStep)), decimals)
  return fine === 0 ? units : units + BigInt(fine) * 10n ** BigInt(decimals - fewestFineDecimals)
}

/** Whether a token of this server has the decimals for the finer digits. */
export const canCarryFine = (tools: Pick<PaymentTools, 'config' | 'outside'>): boolean =>
  listTokens(tools).some(({ decimals }) => decimals >= fewestFineDecimals)

/** As readQuotedMicros, with the finer digits where the token carries them. */
export function splitQuote(
  units: bigint,
  { decimals }: Pick<Token, 'decimals'>,
): { readonly usdMicros: number; readonly fine: number } | undefined {
  if (decimals < fewestDecimals) return undefined
  const unitsOfMicro = 10n ** BigInt(decimals - fewestDecimals)
  const unitsOfFine = decimals < fewestFineDecimals ? unitsOfMicro : 10n ** BigInt(decimals - fewestFineDecimals)
  const usdMicros = Number(units / unitsOfMicro)
  const rest = units % unitsOfMicro
  if (rest % unitsOfFine !== 0n || !Number.isSafeInteger(usdMicros)) return undefined
  return { usdMicros, fine: Number(rest / unitsOfFine) }
}

/** The amount of a quote in millionths of a dollar; undefined for an amount that no quote can have. */
export function readQuotedMicros(units: bigint, { decimals }: Pick<Token, 'decimals'>): number | undefined {
  if (decimals < fewestDecimals) return undefined
  const unitsOfMicro = 10n ** BigInt(decimals - fewestDecimals)
  const micros = Number(units / unitsOfMicro)
  return units % unitsOfMicro === 0n && Number.isSafeInteger(micros) ? micros : undefined
}

/** For each token that can carry the digits, in the order of the configuration. */
export const listQuotedAmounts = (amounts: Amounts, tools: Pick<PaymentTools, 'config' | 'outside'>) =>
  listTokens(tools).flatMap((token) => {
    const units = computeQuotedUnits(amounts, token)
    if (units === undefined) return []
    const { chain, address, decimals, symbol } = token
    return [
      {
        network: chain.chain,
        asset: symbol,
        assetAddress: address,
        decimals,
        /** Base units. */
        amount: String(units),
        /** For people: `4.993217`. */
        amountText: formatUnits(units, decimals),
      },
    ]
  })

/** See TransferPayments. */
export function makeTransfer(
  { usdMicros, suffix, recipient, isByBuyer }: QuotedTransfer,
  { network, assetAddress }: { readonly network: string; readonly assetAddress: string },
  tools: Pick<PaymentTools, 'config' | 'outside'>,
): WalletTransfer | undefined {
  const token = listTokens(tools).find(
    ({ chain, address }) => chain.chain === network && areSameAddress(address, assetAddress),
  )
  const units = token && computeQuotedUnits({ usdMicros, suffix }, token)
  if (!token || units === undefined) return undefined
  const paid = isByBuyer ? convertUsd(formatUsd(usdMicros), token.decimals) : units
  return {
    chainId: token.chain.chainId,
    to: token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient as Hex, paid] }),
    amountText: formatUnits(paid, token.decimals),
    asset: token.symbol,
  }
}
