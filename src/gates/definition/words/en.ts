/** The sentences of a gate in plain words. */
const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

export const plainWords = {
  and: 'and',
  or: 'or',
  /** The comma before the last of several. */
  beforeLast: ',',
  admits: (who: string, gets: string): string => `Anyone who ${who} ${gets}.`,
  pays: (who: string, amount: string, methods: string): string =>
    `${who} and pays ${amount} USD${methods === '' ? '' : ` (${methods})`}`,
  letIn: 'is let in',
  gets: (rewards: string): string => `gets ${rewards}`,
  rewards: {
    access_granted: 'access',
    reveal: 'a secret text',
    redirect: 'a link to open',
    download: 'a file to download',
  },
  quote: (text: string): string => `“${text}”`,
  more: '… (the definition has the rest)',
  optional: (who: string): string => `Optional: a visitor who ${who}.`,
  fresh: (hours: number): string => `A proof counts for ${count(hours, 'hour')}.`,
  paymentFirst: 'The payment is asked for first, then the proofs.',
  refund: (percent: number): string => `A refund of at least ${percent} % of the payment takes the reward back.`,
  moments: {
    first_block: 'Paid on a chain, they get it with the first block. The chain may still take the payment back.',
    confirmations: 'Paid on a chain, they get it when the payment is confirmed.',
    final: 'Paid on a chain, they get it when the payment is final, mostly within half an hour.',
  },
  leads: (address: string): string => `Afterwards a button leads to ${address}.`,
  listed: (label: string): string => `It is listed publicly, shown as ${label}.`,
  seenBy: {
    public: 'Everyone sees it. It is not listed publicly.',
    unlisted: 'Everyone with the link sees it.',
    private: 'Only its owner sees it and gets in.',
  },
  draft: 'It is a draft. Only its owner sees it.',
  paused: 'It is paused. Nobody gets in.',
  supply: (times: number): string => `Total limit: ${times}.`,
  perWallet: (times: number): string => `Limit for each wallet: ${times}.`,
  between: (start: string, end: string): string => `From ${start} to ${end}.`,
  from: (start: string): string => `From ${start} on.`,
  until: (end: string): string => `Until ${end}.`,
  guest: 'is on the guest list',
  proof: (verifier: string): string => `has a proof of ${verifier}`,
  ops: { eq: 'is', gte: 'at least', lte: 'at most' },
  different: (number: number): string => `, ${number} different ones`,
  age: (number: number, unit: 'day' | 'hour' | 'minute' | 'second' | 'millisecond'): string =>
    ` by a proof of the last ${number === 1 ? unit : `${number} ${unit}s`}`,
  final: ' in a block that is final',
  recheck: ', checked again when they pass',
}
