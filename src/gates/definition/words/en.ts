/** The sentences of a gate in plain words. */
const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

export const plainWords = {
  and: 'and',
  or: 'or',
  /** The comma before the last of several. */
  beforeLast: ',',
  admits: (who: string, gets: string): string => `Anyone who ${who} ${gets}.`,
  pays: (who: string, amount: string, methods: string): string =>
    `${who} and pays ${amount} USD${methods === '' ? '' : ` by ${methods}`}`,
  letIn: 'is let in',
  gets: (rewards: string): string => `gets ${rewards}`,
  rewards: {
    access_granted: 'access',
    reveal: 'a secret text',
    redirect: 'a link',
    download: 'a file',
  },
  quote: (text: string): string => `“${text}”`,
  more: '… (the definition has the rest)',
  optional: (who: string): string => `Not required, but asked for: a visitor who ${who}.`,
  fresh: (hours: number): string => `Proofs count for ${count(hours, 'hour')} after they were made.`,
  paymentFirst: 'The payment comes before the check of the proofs.',
  refund: (percent: number): string => `A refund of at least ${percent} % of the payment takes the reward back.`,
  moments: {
    first_block:
      'After a payment on a chain, the reward comes with the first block. The chain may still take the payment back.',
    confirmations: 'After a payment on a chain, the reward comes with the confirmations that this server asks for.',
    final:
      'After a payment on a chain, the reward comes once the payment is final. That mostly takes up to half an hour.',
  },
  leads: (address: string): string => `Then a button leads to ${address}.`,
  listed: (label: string): string => `It is shown publicly as ${label}.`,
  seenBy: {
    public: 'Anyone can see it. It is on no public list.',
    unlisted: 'Only people who know its id can see it.',
    private: 'Only its owner can see it and pass it.',
  },
  draft: 'It is a draft. Only its owner can see it.',
  paused: 'It is paused. Nobody can pass it now.',
  supply: (times: number): string => `At most ${count(times, 'time')} in total.`,
  perWallet: (times: number): string =>
    times === 1 ? 'Once for each wallet.' : `At most ${times} times for each wallet.`,
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
