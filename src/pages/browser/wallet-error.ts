/** Sums up errors of wallets and their nodes in one sentence. Their own text is kept beside it: it is often long. */
import { makeElement } from '../../web/ui/dom.ts'
import { writeSentence } from '../refusal-words.ts'
import { walletErrors as words } from '../words/en/errors.ts'
import { UnknownChain } from './wallet.ts'

export interface Explanation {
  readonly text: string
  /** Shown folded, under this summary. */
  readonly detail?: { readonly summary: string; readonly text: string }
}

const longestSentence = 120
const longestDetail = 4_000

/** By the words that nodes and wallets use. */
const causes: readonly (readonly [RegExp, (wallet: string) => string])[] = [
  [/insufficient funds/i, words.fewCoins],
  [/exceeds (the )?balance|insufficient (token )?balance/i, words.fewTokens],
  [/nonce|underpriced|already known/i, words.earlier],
  [/revert|estimat/i, words.reverts],
]
/** JSON, names of members, data of calls. */
const forPrograms = /[{}\n_]|0x[0-9a-f]{8}/i
const unreachable = /timed? ?out|timeout|failed to fetch|network error|econn|bad gateway|service unavailable/i

/** The task of the wallet. */
export type WalletTask = keyof typeof words.withoutEffect

/** Codes: EIP-1193 and EIP-1474. Wallets of other kinds use the same codes, or messages. */
export function explainWalletError(error: unknown, wallet: string, task: WalletTask): Explanation {
  const kept = words.withoutEffect[task]
  if (error instanceof UnknownChain) return explainUnknownChain(error, wallet, kept)
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    message?: unknown
  }
  const said = typeof message === 'string' ? message.trim() : ''
  if (code === 4001 || code === 'ACTION_REJECTED' || /\b(reject|denied|declined|cancel)/i.test(said))
    return { text: `${words.declined} ${kept}` }
  const known = describeCode(code, wallet, task)
  if (known !== undefined) return { text: known }
  if (said === '') return { text: words.silent(wallet) }
  const detail = { summary: words.said, text: said.slice(0, longestDetail) }
  if (unreachable.test(said)) return { text: words.unreachable(wallet), detail }
  const describeCause = causes.find(([form]) => form.test(said))?.[1]
  if (describeCause) return { text: `${describeCause(wallet)} ${kept}`, detail }
  const isShort = said.length <= longestSentence && !forPrograms.test(said)
  return isShort
    ? { text: `${words.answered(wallet, writeSentence(said))} ${kept}` }
    : { text: `${words.failed(wallet)} ${kept}`, detail }
}

function describeCode(code: unknown, wallet: string, task: WalletTask): string | undefined {
  switch (code) {
    case -32002:
      return words.busy(wallet)
    case 4100:
      return words.locked(wallet)
    case 4200:
    case -32601:
      return words.unable[task](wallet)
    case 4900:
    case 4901:
      return words.offline(wallet)
  }
  return undefined
}

function explainUnknownChain({ chain }: UnknownChain, wallet: string, kept: string): Explanation {
  const { name, currency, explorer } = chain
  const facts = [
    `${words.network}: ${name}`,
    `${words.chainId}: ${chain.chain.replace('eip155:', '')}`,
    ...(currency ? [`${words.coin}: ${currency.symbol}`] : []),
    ...(explorer ? [`${words.explorer}: ${explorer}`] : []),
  ]
  return {
    text: `${words.unknownChain(wallet, name)} ${kept}`,
    detail: { summary: words.toAdd, text: facts.join('\n') },
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
