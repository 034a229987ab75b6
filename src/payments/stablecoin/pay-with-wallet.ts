/** Pays a token transfer with a wallet of the checkout page. */
import { shortenAddress } from '../../web/ui/dom.ts'
import type { CheckoutTools, Payer } from '../view.ts'
import { wallet as words } from './words/en.ts'

/** A token that the gate accepts, with the quoted amount if there is a quote. */
export interface Payable {
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
  readonly quotedText: string | undefined
  readonly quotedUnits: bigint | undefined
}

export interface TransferTerms {
  /** The price in whole tokens, as a decimal number. */
  readonly amount: string
  readonly recipient: string
  readonly quoteId: string | undefined
}

/** `press` gets the focus back after a failure. */
export function payWithWallet(token: Payable, terms: TransferTerms, tools: CheckoutTools, press: HTMLElement): void {
  const { attempts, askForPayer, findTransfer, offerTransfer } = tools
  // Another tab may have paid meanwhile.
  const sent = findTransfer()
  if (sent) offerTransfer(sent)
  else {
    // A phone is told the transfer by the server, which knows quotes only.
    const canPay = ({ wallet }: Payer): boolean =>
      wallet?.connection.send !== undefined ||
      (wallet?.connection.payQuote !== undefined && terms.quoteId !== undefined && token.quotedUnits !== undefined)
    askForPayer(canPay, (payer) => {
      if (canPay(payer)) void sendTransfer(token, terms, payer, tools, press)
      else attempts.fail(words.unable, press)
    })
  }
}

async function sendTransfer(
  { network, asset, assetAddress, decimals, quotedText, quotedUnits }: Payable,
  { amount, recipient, quoteId }: TransferTerms,
  { address, wallet }: Payer,
  { order, attempts, describeChain, offerTransfer, explain, formatAmount }: CheckoutTools,
  press: HTMLElement,
): Promise<void> {
  const isCurrent = attempts.begin('pay')
  if (!isCurrent) return
  const { name, connection } = wallet!
  // The server recognizes the wallet of the proof, so it pays the price. The quoted amount identifies other transfers.
  const isOwn = address === order.person.address || quotedUnits === undefined
  try {
    attempts.say(
      words.confirm(`${formatAmount(isOwn ? amount : quotedText!)} ${asset}`, name, shortenAddress(recipient)),
    )
    const tx = connection.payQuote
      ? await connection.payQuote({ quoteId: quoteId!, network, assetAddress })
      : await connection.send!({
          chainId: Number(network.replace('eip155:', '')),
          chain: describeChain(network),
          to: assetAddress,
          data: encodeTransfer(recipient, isOwn ? toBaseUnits(amount, decimals) : quotedUnits),
        })
    attempts.finish()
    offerTransfer({ tx, quoteId })
  } catch (error) {
    if (isCurrent()) attempts.fail(explain(error, name).node, press)
  }
}

/** In base units, exactly: `amount` is a decimal number as text. */
export function toBaseUnits(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return (
    BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) +
    (/[1-9]/.test(fraction.slice(decimals)) ? 1n : 0n)
  )
}

const encodeWord = (hex: string): string => hex.replace(/^0x/i, '').toLowerCase().padStart(64, '0')

/** transfer(address,uint256) of ERC-20. */
const encodeTransfer = (recipient: string, units: bigint): string =>
  `0xa9059cbb${encodeWord(recipient)}${encodeWord(units.toString(16))}`
