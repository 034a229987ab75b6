/**
 * Runs on /pair, on the phone: takes the code, has the numbers compared, lends one wallet, and shows what the computer
 * asks for (pair-tasks.ts).
 */
import { makeElement, renderButton, renderFacts, requireElement } from '../../web/ui/dom.ts'
import { pair as words } from '../words/en/pairing.ts'
import { wallets as walletWords } from '../words/en/wallets.ts'
import { Attempts } from './attempt.ts'
import { call, isPassing, Refusal, readWaitMs } from './json-api.ts'
import { offerCopies } from './offer-copies.ts'
import { type Asked, type Lent, PairTasks } from './pair-tasks.ts'
import type { Connection, Wallet } from './wallet.ts'
import { showWalletApps } from './wallet-apps.ts'
import { renderExplanation } from './wallet-error.ts'
import { WalletList, writeName } from './wallet-list.ts'
import { lookForWallets } from './wallets-here.ts'
import { describeError, explainError } from './words.ts'

interface View {
  readonly state: 'compare' | 'paired' | 'ended'
  readonly ended?: keyof typeof words.ended
  readonly number?: string
  readonly isConfirmed?: boolean
  readonly asked?: Asked
}

const page = requireElement('page')
const place = requireElement('pairing')
const entry = requireElement('way-in')
const api = page.dataset.api!
const server = page.dataset.server!
const attempts = new Attempts({
  status: requireElement('status'),
  problem: requireElement('problem'),
  busy: page,
  failed: words.failed,
})
const everyMs = 2_000
/** A phone whose computer asks for nothing polls less often. */
const idleAfterMs = 30_000
const everyMsWhenIdle = 5_000
/** A press is sent again for so long while the server does not take it. */
const mostSilentMs = 90_000
/** A reload goes on, also in another language: with the code, or without taking it a second time. */
const kept = 'proofgate pairing'
const keptCode = 'proofgate pairing code'

let secret = sessionStorage.getItem(kept) ?? undefined
let lent: Lent | undefined
let shown = ''
let isOver = false
/** When something new was shown. */
let drawnAt = performance.now()
const tasks = new PairTasks({
  server,
  attempts,
  show,
  showReady,
  isReady: (text) => shown === `ready ${text}`,
  isOver: () => isOver,
  end,
  send: (body) => send(body),
})

const list = new WalletList(requireElement<HTMLUListElement>('wallets'), (wallet, button) => void lend(wallet, button))

function readCode(): string | undefined {
  const code = location.hash.slice(1) || new URLSearchParams(location.search).get('code')
  // No history and no bookmark keeps it.
  history.replaceState(null, '', location.pathname)
  if (!code) return sessionStorage.getItem(keptCode) ?? undefined
  sessionStorage.setItem(keptCode, code)
  return code
}

function show(title: string, ...content: readonly (Node | undefined)[]): void {
  const heading = makeElement('h2', { tabindex: -1 }, title)
  place.replaceChildren(
    makeElement('section', { class: 'pair' }, heading, ...content.filter((one) => one !== undefined)),
    ...tasks.listUnheard(),
  )
  heading.focus()
}

const say = (text: string): HTMLElement => makeElement('p', {}, text)

const renderActions = (...buttons: readonly HTMLElement[]): HTMLElement =>
  makeElement('div', { class: 'pair-actions' }, ...buttons)

const renderStop = (): HTMLElement =>
  makeElement('button', { type: 'button', class: 'link', onclick: () => void send({ do: 'end' }) }, words.stop)

async function offer(code: string): Promise<void> {
  const { purpose, site } = await call(`${api}/look`, { body: { code } })
  const goOnButton = renderButton(words.goOn, () => void take(code))
  const warning = makeElement('div', { class: 'notice warning' }, say(words.onlyYours))
  place.replaceChildren(
    say(words.asks),
    renderFacts([
      [words.server, server],
      [words.purpose, words.purposes[purpose as keyof typeof words.purposes]],
      // This server itself is named above.
      typeof site === 'string' && new URL(site).host !== server && [words.site, new URL(site).host],
    ]),
    makeElement('div', { class: 'pair' }, warning, goOnButton),
  )
  goOnButton.hidden = true
  const address = new URL(location.href)
  address.searchParams.set('code', code)
  showWalletApps(address)
  findWallets(() => {
    // A wallet that answers late must not hide the list of those to choose from.
    if (secret !== undefined) return
    // Taken only where a wallet is: the browser inside the wallet app opens the code itself.
    const isHere = list.count > 0
    goOnButton.hidden = !isHere
    entry.hidden = isHere
    requireElement('no-wallet').hidden = isHere
    if (!isHere) requireElement('wallets-heading').textContent = walletWords.none
  })
}

const findWallets = (changed: () => void): void =>
  lookForWallets({ list, isUnderWay: () => attempts.isUnderWay, changed, settled: changed })

async function take(code: string): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.loading)
    const taken = await call(`${api}/take`, { body: { code } })
    secret = String(taken.secret)
    sessionStorage.setItem(kept, secret)
    sessionStorage.removeItem(keptCode)
    attempts.finish()
    showNumber({ state: 'compare', number: String(taken.number) })
    void follow()
  } catch (error) {
    attempts.finish()
    fail(error)
  }
}

/** Asks the server until the pairing is over. */
async function follow(): Promise<void> {
  while (!isOver) {
    const isIdle = performance.now() - drawnAt > idleAfterMs
    let pause = isIdle ? everyMsWhenIdle : everyMs
    try {
      await request({})
    } catch (error) {
      tell(error)
      pause = readWaitMs(error, pause)
    }
    await wait(pause)
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Sends what was pressed. Returns whether the server took it. */
const send = (body: object): Promise<boolean> =>
  sendPatiently(body).then(
    () => true,
    (error: unknown) => {
      tell(error)
      return false
    },
  )

/** Sends again while the server is busy, or gone for a moment. Errors: those of call(). */
async function sendPatiently(body: object): Promise<void> {
  for (const startedAt = performance.now(); ; ) {
    try {
      return await request(body)
    } catch (error) {
      if (isOver || !isPassing(error) || performance.now() - startedAt > mostSilentMs) throw error
      await wait(readWaitMs(error, everyMs))
    }
  }
}

const request = async (body: object): Promise<void> =>
  draw((await call(`${api}/phone`, { body: { secret, ...body } })) as unknown as View)

/** A conflict is an answer that came too late, because the computer asks for something else by now. */
function tell(error: unknown): void {
  if (!isOver && !isPassing(error) && !(error instanceof Refusal && error.code === 'CONFLICT')) fail(error)
}

function draw(view: View): void {
  if (isOver || tasks.holdsPage) return
  if (view.state === 'ended') end(words.ended[view.ended!])
  else if (view.state === 'compare') showNumber(view)
  else if (!lent) showWallets()
  else if (view.asked && view.asked.number > tasks.answered) showTask(view.asked, lent)
  // The computer has withdrawn it.
  else if (!view.asked && shown.startsWith('task ') && !attempts.isUnderWay) showReady(words.lent(lent.name))
}

function showNumber({ number = '', isConfirmed = false }: View): void {
  if (isNew(`${number} ${isConfirmed}`))
    show(
      words.compare,
      makeElement('p', { class: 'pair-number' }, `${number.slice(0, 3)} ${number.slice(3)}`),
      ...(isConfirmed
        ? [say(words.confirmThere)]
        : [
            say(words.question),
            renderActions(
              renderButton(words.same, () => void send({ do: 'confirm' })),
              renderButton(words.different, () => void send({ do: 'refuse' }), 'secondary'),
            ),
          ]),
    )
}

function showWallets(): void {
  if (!isNew('wallets')) return
  place.replaceChildren(renderStop())
  const heading = requireElement('wallets-heading')
  entry.hidden = false
  heading.textContent = words.chooseWallet
  heading.focus()
}

async function lend(wallet: Wallet, button: HTMLElement): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  const name = writeName(wallet)
  let connection: Connection
  let isContract: boolean
  try {
    attempts.say(walletWords.waiting(name), button)
    connection = await wallet.connect()
    isContract = await connection.isContract()
    if (!isCurrent()) return
  } catch (error) {
    if (isCurrent()) attempts.fail(renderExplanation(explainError(error, name)), button)
    return
  }
  attempts.finish()
  lent = { name, connection }
  const unwatch = connection.watch((why) => {
    void send({ do: 'end' })
    if (why === 'switched') end(words.switched(name))
  })
  entry.hidden = true
  showReady(words.sending)
  const account = { address: connection.address, ...connection.chain, isContract }
  try {
    await sendPatiently({ account })
    if (shown === `ready ${words.sending}`) showReady(words.lent(name))
  } catch (error) {
    if (isOver) return
    // The page was loaded again, and another account chosen than before.
    if (error instanceof Refusal && error.code === 'CONFLICT') {
      void send({ do: 'end' })
      end(words.switched(name))
      return
    }
    // Another account may be chosen now, and that must not end the connection.
    unwatch()
    lent = undefined
    shown = ''
    showWallets()
    attempts.fail(describeError(error), button)
  }
}

function showTask(asked: Asked, by: Lent): void {
  if (isNew(`task ${asked.number}`)) tasks.show(asked, by)
}

function showReady(text: string): void {
  shown = `ready ${text}`
  show(text, say(words.keepOpen), renderStop())
}

/** Views come again and again; each is drawn once. */
function isNew(key: string): boolean {
  if (shown === key) return false
  shown = key
  drawnAt = performance.now()
  attempts.finish()
  return true
}

function end(text: string): void {
  isOver = true
  sessionStorage.removeItem(kept)
  sessionStorage.removeItem(keptCode)
  attempts.finish()
  entry.hidden = true
  place.replaceChildren(
    makeElement('p', { class: 'notice', tabindex: -1, role: 'status' }, tasks.hasUnheard ? words.paidUnheard : text),
    ...tasks.listUnheard(),
  )
}

function fail(error: unknown): void {
  if (error instanceof Refusal && error.code === 'NOT_FOUND') end(words.unknown)
  else if (error instanceof Refusal && error.reason === 'CODE_TAKEN') end(words.taken)
  else attempts.fail(describeError(error))
}

offerCopies(page)
const code = readCode()
// A new code wins over what an earlier one left behind.
if (code !== undefined) {
  secret = undefined
  sessionStorage.removeItem(kept)
  offer(code).catch(fail)
} else if (secret !== undefined) {
  findWallets(() => undefined)
  void follow()
} else attempts.fail(words.noCode, undefined, 'warning')
