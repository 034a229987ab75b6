/** The words of receipts. */

export const receipt = {
  title: 'Receipt',
  price: 'Price',
  refunded: 'Refunded',
  method: 'Paid by',
  network: 'Network',
  transaction: 'Transaction',
  reference: 'Payment reference',
  payer: 'Paid from',
  recipient: 'Paid to',
  paidAt: 'Paid at',
  gate: 'Gate',
  version: 'version',
  given: 'Given',
  givenAt: 'Given at',
  kinds: { access_granted: 'Access', redirect: 'A link', download: 'A download', reveal: 'A text' },
  more: (count: number): string => `and ${count} more`,
  seller: 'Seller',
  buyer: 'Buyer',
  buyerChain: 'Contract wallet on',
  number: 'Receipt number',
  issuer: 'Issued by',
  states: {
    final: 'Paid. The payment is final.',
    settling: 'Paid. The payment is not final yet.',
    suspended: 'The payment was taken back. The buyer does not have access now.',
    disputed: 'The holder of the card disputes this payment. The buyer does not have access until that is decided.',
  },
  unknownAmount: 'Amount unknown',
  check: 'Check this payment',
  checkTransfer: (chain: string, explorer: string | undefined, paid: string): string =>
    `Anyone can check it, without this server. Look up the transaction ${
      explorer === undefined ? `in any explorer of ${chain}` : `at ${explorer}`
    }. It must show a transfer of ${paid} to the address at “Paid to”, in this token:`,
  checkReference: 'The seller can check it by this reference.',
  token: 'Token contract',
  openIn: (host: string): string => `Open in ${host}`,
  print: 'Print or save as PDF',
  seeAgain: 'Open the gate again',
  json: 'This receipt as JSON',
  allPayments: 'All payments',
  /** Of a gate that was free: it confirms access, and nobody sold anything. */
  free: {
    title: 'Confirmation of access',
    state: (gate: string): string => `This wallet passed the gate “${gate}”.`,
    seller: 'Gate by',
    buyer: 'For wallet',
    number: 'Number',
    json: 'This confirmation as JSON',
    all: 'All that you got',
    allOfGates: 'All passes of your gates',
  },
  unknownTitle: 'No receipt or confirmation here',
  unknown:
    'Your wallets have no receipt or confirmation with this number. Only the wallet that got in and the owner of the gate can open it.',
  useAnotherWallet: 'Use another wallet',
}
