/**
 * Runs on /verify and /login: finds the wallets of this browser, lets one sign, and goes on. One attempt at a time; one
 * that was given up has no further effect, whatever its wallet answers later.
 */
import { addParameters } from '../../http/return-url.ts'
import { makeElement, renderButton, requireElement } from '../../web/ui/dom.ts'
import { signIn as words } from '../words/en/sign-in.ts'
import { Attempts } from './attempt.ts'
import { AuthApi, type Chain, type Signed } from './auth-api.ts'
import { isSessionOver } from './json-api.ts'
import { loadSignOuts } from './load-part.ts'
import { offerCopies } from './offer-copies.ts'
import { forgetForms } from './person-here.ts'
import type { Wallet } from './wallet.ts'
import { adviseOnWallets } from './wallet-advice.ts'
import { renderExplanation } from './wallet-error.ts'
import { WalletList, writeName } from './wallet-list.ts'
import { leadHome, lookForWallets } from './wallets-here.ts'
import { describeError, explainError } from './words.ts'

const page = requireElement('page')
const wayIn = requireElement('way-in')
const heading = requireElement('wallets-heading')
const noWallet = requireElement('no-wallet')
const api = new AuthApi(page.dataset.api!)
const attempts = new Attempts({
  status: requireElement('status'),
  problem: requireElement('problem'),
  busy: wayIn,
  failed: words.failed,
})

const list = new WalletList(
  requireElement<HTMLUListElement>('wallets'),
  (wallet, button) => void signInByWallet(wallet, button),
)

/** One that was pressed keeps the focus: what happens is read out by the live regions. */
async function signInByWallet(wallet: Wallet, button: HTMLElement): Promise<void> {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  const name = writeName(wallet)
  try {
    attempts.say(wallet.waiting ?? words.waitingFor(name), button)
    attempts.watch(() => wallet.giveUp?.())
    const connection = await wallet.connect()
    if (!isCurrent()) return
    attempts.watch(
      connection.watch((why) => {
        if (!isCurrent()) return
        attempts.fail(why === 'switched' ? words.switched(name) : words.disconnected(name), button)
      }),
    )
    const message = await api.message(connection.address, connection.chain)
    if (!isCurrent()) return
    attempts.say(words.signText(name), button)
    const signed = await connection.sign(message)
    if (!isCurrent()) return
    await complete({ message, ...signed }, isCurrent)
  } catch (error) {
    if (isCurrent()) attempts.fail(renderExplanation(explainError(error, name)), button)
  }
}

async function complete(signed: Signed | { readonly token: string }, isCurrent: () => boolean): Promise<void> {
  // From here on it is too late to give up, or for the wallet to change its mind.
  attempts.unwatch()
  attempts.say(words.checking)
  await api.signIn(signed)
  if (!isCurrent()) return
  const { next } = page.dataset
  attempts.say(next === undefined ? words.done : words.goingOn)
  if (next === undefined) location.reload()
  else location.replace(next)
}

/** A form whose button does one thing that may fail. */
function submitOn(
  form: HTMLFormElement,
  field: HTMLInputElement | HTMLTextAreaElement,
  missing: string,
  work: (value: string, isCurrent: () => boolean) => Promise<void>,
): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const value = field.value.trim()
    field.toggleAttribute('aria-invalid', false)
    if (value === '') {
      if (attempts.isUnderWay) return
      field.setAttribute('aria-invalid', 'true')
      return attempts.fail(missing, field)
    }
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    try {
      await work(value, isCurrent)
    } catch (error) {
      if (!isCurrent()) return
      field.setAttribute('aria-invalid', 'true')
      attempts.fail(describeError(error), field)
    }
  })
}

submitOn(
  requireElement<HTMLFormElement>('token-form'),
  requireElement<HTMLTextAreaElement>('token'),
  words.noToken,
  // A terminal breaks long lines, and a person copies the breaks.
  (token, isCurrent) => complete({ token: token.replace(/\s+/g, '') }, isCurrent),
)

let byHand: { readonly message: string; readonly signatureMethod?: string } | undefined
const signatureForm = requireElement<HTMLFormElement>('signature-form')
const signatureField = requireElement<HTMLTextAreaElement>('signature')

submitOn(
  requireElement<HTMLFormElement>('address-form'),
  requireElement<HTMLInputElement>('address'),
  words.noAddress,
  async (address, isCurrent) => {
    attempts.say(words.askingForText)
    const isEvm = address.startsWith('0x')
    const chain: Chain = isEvm ? {} : { chain: 'solana:mainnet' }
    const message = await api.message(address, chain)
    if (!isCurrent()) return
    byHand = isEvm ? { message } : { message, signatureMethod: 'ed25519' }
    requireElement('text').textContent = message
    signatureField.value = ''
    signatureForm.hidden = false
    attempts.finish()
    requireElement('text-heading').focus()
  },
)

submitOn(signatureForm, signatureField, words.noSignature, async (signature, isCurrent) => {
  if (byHand) await complete({ ...byHand, signature }, isCurrent)
})

function showWallets(): void {
  heading.textContent = list.count === 0 ? words.noWallet : list.count === 1 ? words.oneWallet : words.chooseWallet
  noWallet.hidden = list.count > 0
}

const home = new URL(page.dataset.home!)
const isSecond = wayIn.dataset.second !== undefined
const another = document.getElementById('another')
const signOut = document.getElementById('sign-out')
const tell = document.getElementById('tell')

function open(): void {
  wayIn.hidden = false
  lookForWallets({
    list,
    isUnderWay: () => attempts.isUnderWay,
    changed() {
      attempts.markBusy()
      showWallets()
    },
    settled() {
      const { only } = list
      if (page.dataset.connect !== undefined && !another && only) void signInByWallet(only.wallet, only.button)
    },
  })
}

another?.addEventListener('click', () => {
  if (wayIn.hidden) {
    open()
    another.setAttribute('aria-expanded', 'true')
  }
  heading.focus()
})

/** The code that the person has agreed to by pressing; undefined where the site gets none. Errors: those of the API. */
async function readCode({ dataset }: HTMLElement): Promise<string | undefined> {
  const { handover, csrf } = dataset
  return handover === undefined ? undefined : api.requestCode(JSON.parse(handover), csrf!)
}

/** Loaded again, this page asks for a wallet, and keeps its question. */
function showFailure(error: unknown, pressed: HTMLElement): void {
  if (!isSessionOver(error)) {
    attempts.fail(describeError(error), pressed)
    return
  }
  const again = renderButton(words.signInAgain, () => location.reload(), 'secondary')
  const told = makeElement('div', {}, makeElement('p', {}, words.sessionOver), makeElement('p', {}, again))
  attempts.fail(told, again, 'warning')
}

const handOver = document.getElementById('hand-over')
handOver?.addEventListener('click', async () => {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.leaving)
    const code = await readCode(handOver)
    if (!isCurrent()) return
    const { returnUrl } = JSON.parse(handOver.dataset.handover!)
    location.assign(addParameters(returnUrl, { code, state: handOver.dataset.state }))
  } catch (error) {
    if (isCurrent()) showFailure(error, handOver)
  }
})

tell?.addEventListener('click', async () => {
  const opener = window.opener as Window | null
  const { origin, type, account, state } = tell.dataset
  if (!opener) {
    requireElement('status').textContent = words.openerGone
    return
  }
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    const code = await readCode(tell)
    if (!isCurrent()) return
    attempts.finish()
    // Only a page of that origin hears it: the browser holds the message back from every other one.
    opener.postMessage({ type, success: true, walletAddress: account, code, state }, origin!)
    window.close()
  } catch (error) {
    if (isCurrent()) showFailure(error, tell)
  }
})

if (signOut) void loadSignOuts().then((part) => part?.reloadWhenSignedOut())
signOut?.addEventListener('click', async () => {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.signingOut)
    await api.signOut(signOut.dataset.csrf!)
    forgetForms()
    ;(await loadSignOuts())?.tellSignedOut()
    location.reload()
  } catch (error) {
    if (!isCurrent()) return
    // Another tab was faster.
    if (isSessionOver(error)) location.reload()
    else attempts.fail(describeError(error), signOut)
  }
})

// A page that the browser kept shows who was signed in when it was left.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

if (home.origin !== location.origin) leadHome(home, wayIn)
else {
  adviseOnWallets((wallet, button) => void signInByWallet(wallet, button))
  offerCopies(wayIn)
  if (signOut) signOut.hidden = false
  if (tell) tell.hidden = false
  if (handOver) handOver.hidden = false
  if (another) another.hidden = !isSecond
  if (!isSecond) open()
}
