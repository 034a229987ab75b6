/** The English words of payment by stablecoin. */
import type { MethodWords } from '../../method-words.ts'

export const words: MethodWords = {
  label: 'Stablecoin',
  receiptLabel: 'Stablecoin transfer',
  setupName: 'a stablecoin',
}

/** On the checkout page. */
export const view = {
  lookedAt: 'Transfer that was refused',
  lookAgain: 'Look at it again',
  heading: 'With a stablecoin',
  asking: 'Asking for the amount …',
  withoutPlace: (payer: string): string =>
    `You can still pay now, from ${payer}. No place is held for you. If someone else takes the last one first, the seller owes you what you paid.`,
  pay: (amount: string, asset: string): string => `Pay ${amount} ${asset} with the wallet`,
  amount: 'Amount',
  exactly: 'From elsewhere, exactly',
  chain: 'Chain',
  recipient: 'To',
  token: 'Token',
  keepAgain: 'Reserve again',
  digits: 'If you pay from elsewhere, send the exact amount: its last digits identify your transfer.',
  elsewhere: 'Paid from elsewhere?',
  fromPayer: (payer: string): string => `The transfer must come from ${payer} or from a linked wallet.`,
  fromAnywhere: (amounts: readonly string[], payer: string): string =>
    `A transfer of exactly ${amounts.join(' or ')} counts from any wallet. Another amount counts only from ${payer} or a linked wallet.`,
  paid: 'I have paid',
  /** How long price and place are kept. */
  lastMinute: 'less than a minute left',
  minutes: (count: number): string => `${count} ${count === 1 ? 'minute' : 'minutes'} left`,
  kept: (until: string, left: string): string => `Price and place are kept for you until ${until} (${left}).`,
  over: (until: string): string => `Price and place were kept for you until ${until}. `,
}

/** While the wallet of the page pays. */
export const wallet = {
  unable: 'This wallet cannot pay on that chain. Choose another one.',
  confirm: (amount: string, wallet: string, recipient: string): string =>
    `Confirm the transfer of ${amount} in ${wallet}. Compare the recipient: ${recipient}.`,
}
