/** Sums up errors of wallets and their nodes in one sentence. Their own text is kept beside it: it is often long. */
import { makeElement } from '../../web/ui/dom.ts'
import { writeSentence } from '../refusal-words.ts'
import { UnknownChain } from './wallet.ts'

export interface Explanation {
  readonly text: string
  /** Shown folded, under this summary. */
  readonly detail?: { readonly summary: string; readonly text: string }
}

const longestSentence = 120
const longestDetail = 4_000

/** By the words that nodes and wallets use. Each completes the name of the wallet. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/insufficient funds/i, 'has too few coins to pay the network fee.'],
  [/exceeds (the )?balance|insufficient (token )?balance/i, 'holds too little of the token.'],
  [/nonce|underpriced|already known/i, 'still waits for an earlier transaction. Finish or cancel that one first.'],
  [/revert|estimat/i, 'says that the network would refuse this transaction.'],
]
/** JSON, names of members, data of calls. */
const forPrograms = /[{}\n_]|0x[0-9a-f]{8}/i
const unreachable = /timed? ?out|timeout|failed to fetch|network error|econn|bad gateway|service unavailable/i

/** The task of the wallet. */
export type WalletTask = 'sign' | 'pay'
const withoutEffect = { sign: 'Nothing was signed.', pay: 'Nothing was paid.' } as const

/** Codes: EIP-1193 and EIP-1474. Wallets of other kinds use the same codes, or messages. */
export function explainWalletError(error: unknown, wallet: string, task: WalletTask): Explanation {
  const kept = withoutEffect[task]
  if (error instanceof UnknownChain) return explainUnknownChain(error, wallet, kept)
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
  }
  const said = typeof message === 'string' ? message.trim() : ''
  if (code === 4001 || code === 'ACTION_REJECTED' || /\b(reject|denied|declined|cancel)/i.test(said))
    return { text: `You declined in the wallet. ${kept}` }
  const known = describeCode(code, wallet, task)
  if (known !== undefined) return { text: known }
  if (said === '')
    return {
      text: `${wallet} did not answer, and did not say why. Open it, see whether it is unlocked, then try again.`,
    }
  const detail = { summary: 'What the wallet said', text: said.slice(0, longestDetail) }
  if (unreachable.test(said))
    return {
      text: `${wallet} could not reach its network. See in the wallet whether it did something before you try again.`,
      detail,
    }
  const cause = causes.find(([form]) => form.test(said))?.[1]
  if (cause !== undefined) return { text: `${wallet} ${cause} ${kept}`, detail }
  const isShort = said.length <= longestSentence && !forPrograms.test(said)
  return isShort
    ? {
        text: `${wallet} answered: ${writeSentence(said)} ${kept}`,
      }
    : { text: `${wallet} reported an error. ${kept}`, detail }
}

function describeCode(code: unknown, wallet: string, task: WalletTask): string | undefined {
  switch (code) {
    case -32002:
      return `${wallet} already shows a request. Open the wallet and answer that one, then try again.`
    case 4100:
      return `${wallet} is locked, or does not allow this site to ask. Unlock it, allow this site, then try again.`
    case 4200:
    case -32601:
      return `${wallet} cannot ${task === 'sign' ? 'sign texts' : 'pay from this page'}. Use another wallet.`
    case 4900:
    case 4901:
      return `${wallet} is not connected to its network. Connect it, then try again.`
  }
  return undefined
}

function explainUnknownChain({ chain }: UnknownChain, wallet: string, kept: string): Explanation {
  const { name, currency, explorer } = chain
  const facts = [
    `Network: ${name}`,
    `Chain id: ${chain.chain.replace('eip155:', '')}`,
    ...(currency ? [`Coin: ${currency.symbol}`] : []),
    ...(explorer ? [`Explorer: ${explorer}`] : []),
  ]
  return {
    text: `${wallet} does not know the network ${name}. Add it there, then pay again. ${kept}`,
    detail: { summary: 'What to add', text: facts.join('\n') },
  }
}

export const renderExplanation = ({ text, detail }: Explanation): HTMLElement =>
  makeElement(
    'div',
    {},
    makeElement('p', {}, text),
    detail &&
      makeElement(
        'details',
        {},
        makeElement('summary', {}, detail.summary),
        makeElement('div', { class: 'details-body' }, makeElement('pre', { class: 'code' }, detail.text)),
      ),
  )
