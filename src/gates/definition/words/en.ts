/** The sentences of a gate in plain words. */
const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

export const plainWords = {
  and: 'and',
  or: 'or',
  /** The comma before the last of several. */
  beforeLast: ',',
  admits: (who: string, gets: string): string => `Whoever ${who}, ${gets}.`,
  pays: (who: string, amount: string, methods: string): string =>
    `${who}, and pays ${amount} USD${methods === '' ? '' : ` by ${methods}`}`,
  letIn: 'is let in',
  gets: (rewards: string): string => `gets ${rewards}`,
  rewards: {
    access_granted: 'access',
    reveal: 'a secret text',
    redirect: 'an address to go to',
    download: 'a download',
  },
  quote: (text: string): string => `“${text}”`,
  more: '… (and more, which the definition says)',
  optional: (who: string): string => `Not needed, but asked for: whoever ${who}.`,
  fresh: (hours: number): string => `Proofs count for ${count(hours, 'hour')} after they were made.`,
  paymentFirst: 'The payment is asked for before the proofs are looked at.',
  refund: (percent: number): string => `A refund of ${percent} % of the payment or more takes the reward back.`,
  moments: {
    first_block:
      'Paid on a chain, it is handed out with the first block: the chain may still take such a payment back.',
    confirmations:
      'Paid on a chain, it is handed out when the payment has the confirmations that this server asks for.',
    final: 'Paid on a chain, it is handed out when the chain calls the payment final, mostly within half an hour.',
  },
  leads: (address: string): string => `Afterwards a button leads to ${address}.`,
  listed: (label: string): string => `It is on public display as ${label}.`,
  seenBy: {
    public: 'Everybody may see it, and it is not on display.',
    unlisted: 'Whoever knows its id may see it.',
    private: 'Nobody but its owner sees it or can pass it.',
  },
  draft: 'It is a draft: nobody but its owner sees it yet.',
  paused: 'It is paused: nobody can pass it now.',
  supply: (times: number): string => `At most ${count(times, 'time')} in all.`,
  perWallet: (times: number): string => `At most ${count(times, 'time')} for each wallet.`,
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
  recheck: ', which is read again before anything is given',
}
