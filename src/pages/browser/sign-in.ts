/**
 * Runs on /verify and /login: finds the wallets of this browser, lets one sign, and goes on. One attempt at a time; one
 * that was given up has no further effect, whatever its wallet answers later.
 */
import { AuthApi, type Chain, type Signed } from './auth-api.ts'
import { findEvmWallets, findLegacyWallet } from './evm-wallets.ts'
import { offerCopies } from './offer-copies.ts'
import { findSolanaWallets } from './solana-wallets.ts'
import type { Wallet } from './wallet.ts'
import { nameOf, WalletList } from './wallet-list.ts'
import { wordsFor } from './words.ts'

/** Wallets that were there first have announced themselves by then. */
const settledAfterMs = 600

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

const page = byId('page')
const status = byId('status')
const problem = byId('problem')
const wayIn = byId('way-in')
const heading = byId('wallets-heading')
const noWallet = byId('no-wallet')
const api = new AuthApi(page.dataset.api!)
const title = document.title

/** Of the attempt that is under way; 0 is none. Also closes the way for a second click. */
let underWay = 0
let attempts = 0
let stopWatching = (): void => {}

const list = new WalletList(byId<HTMLUListElement>('wallets'), (wallet, button) => void signInWith(wallet, button))

function say(text: string, origin?: HTMLElement): void {
  problem.replaceChildren()
  document.title = `${text} · ${title}`
  const line = document.createElement('p')
  line.textContent = text
  const progress = document.createElement('div')
  progress.className = 'progress'
  progress.append(line)
  status.replaceChildren(progress)
  if (!origin) return
  const cancel = document.createElement('button')
  cancel.type = 'button'
  cancel.className = 'button secondary'
  cancel.textContent = 'Cancel'
  cancel.addEventListener('click', () => {
    finish()
    origin.focus()
  })
  progress.append(cancel)
}

/** Ends the attempt, or what is left of it. */
function finish(): void {
  underWay = 0
  stopWatching()
  stopWatching = () => {}
  status.replaceChildren()
  problem.replaceChildren()
  document.title = title
  markBusy(false)
}

function fail(text: string, focus?: HTMLElement): void {
  finish()
  const notice = document.createElement('div')
  notice.className = 'notice danger'
  const line = document.createElement('p')
  line.textContent = text
  notice.append(line)
  problem.replaceChildren(notice)
  document.title = `Not signed in · ${title}`
  focus?.focus()
  const { top } = problem.getBoundingClientRect()
  if (top < 0) problem.scrollIntoView({ block: 'start' })
}

function markBusy(busy: boolean): void {
  for (const button of wayIn.querySelectorAll('button.choice, form .button'))
    if (busy) button.setAttribute('aria-disabled', 'true')
    else button.removeAttribute('aria-disabled')
}

/** Undefined where another attempt is under way. */
function begin(): (() => boolean) | undefined {
  if (underWay !== 0) return undefined
  const mine = ++attempts
  underWay = mine
  markBusy(true)
  return () => underWay === mine
}

/** One that was pressed keeps the focus: what happens is read out by the live regions. */
async function signInWith(wallet: Wallet, button: HTMLButtonElement): Promise<void> {
  const isCurrent = begin()
  if (!isCurrent) return
  const name = nameOf(wallet)
  try {
    say(`Waiting for ${name}. If no window came up, open the wallet.`, button)
    const connection = await wallet.connect()
    if (!isCurrent()) return
    stopWatching = connection.watch((why) => {
      if (!isCurrent()) return
      fail(
        why === 'switched'
          ? `You changed the account in ${name}, so nothing was done with the first one. Start again.`
          : `${name} disconnected this page. Start again.`,
        button,
      )
    })
    const message = await api.message(connection.address, connection.chain)
    if (!isCurrent()) return
    say(`Sign the text that ${name} shows.`, button)
    const signed = await connection.sign(message)
    if (!isCurrent()) return
    await complete({ message, ...signed }, isCurrent)
  } catch (error) {
    if (isCurrent()) fail(wordsFor(error, name), button)
  }
}

async function complete(signed: Signed | { readonly token: string }, isCurrent: () => boolean): Promise<void> {
  // From here on it is too late to give up, or for the wallet to change its mind.
  stopWatching()
  say('Checking the signature …')
  await api.signIn(signed)
  if (!isCurrent()) return
  const { next } = page.dataset
  say(next === undefined ? 'Signed in.' : 'Signed in. Going on …')
  if (next === undefined) location.reload()
  else location.replace(next)
}

/** A form whose button does one thing that may fail. */
function onSubmit(
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
      if (underWay !== 0) return
      field.setAttribute('aria-invalid', 'true')
      return fail(missing, field)
    }
    const isCurrent = begin()
    if (!isCurrent) return
    try {
      await work(value, isCurrent)
    } catch (error) {
      if (!isCurrent()) return
      field.setAttribute('aria-invalid', 'true')
      fail(wordsFor(error), field)
    }
  })
}

onSubmit(
  byId<HTMLFormElement>('token-form'),
  byId<HTMLTextAreaElement>('token'),
  'Paste what proofgate sign printed.',
  // A terminal breaks long lines, and a person copies the breaks.
  (token, isCurrent) => complete({ token: token.replace(/\s+/g, '') }, isCurrent),
)

let byHand: { readonly message: string; readonly signatureMethod?: string } | undefined
const signatureForm = byId<HTMLFormElement>('signature-form')
const signatureField = byId<HTMLTextAreaElement>('signature')

onSubmit(
  byId<HTMLFormElement>('address-form'),
  byId<HTMLInputElement>('address'),
  'Give the address of the wallet that will sign.',
  async (address, isCurrent) => {
    say('Asking for the text …')
    const isEvm = address.startsWith('0x')
    const chain: Chain = isEvm ? {} : { chain: 'solana:mainnet' }
    const message = await api.message(address, chain)
    if (!isCurrent()) return
    byHand = isEvm ? { message } : { message, signatureMethod: 'ed25519' }
    byId('text').textContent = message
    signatureField.value = ''
    signatureForm.hidden = false
    finish()
    byId('text-heading').focus()
  },
)

onSubmit(signatureForm, signatureField, 'Paste the signature of the text.', async (signature, isCurrent) => {
  if (byHand) await complete({ ...byHand, signature }, isCurrent)
})

function showWallets(): void {
  heading.textContent =
    list.count === 0 ? 'No wallet in this browser' : list.count === 1 ? 'Sign in with' : 'Choose a wallet'
  noWallet.hidden = list.count > 0
}

function found(wallet: Wallet): void {
  list.add(wallet)
  if (underWay !== 0) markBusy(true)
  showWallets()
}

function lookForWallets(): void {
  let isAnnounced = false
  let legacy: Wallet | undefined
  findEvmWallets((wallet) => {
    isAnnounced = true
    if (legacy && underWay === 0) list.remove(legacy)
    found(wallet)
  })
  findSolanaWallets(found)
  setTimeout(() => {
    // Most wallets are in window.ethereum as well as announced: it is looked at only where none was.
    findLegacyWallet((wallet) => {
      if (isAnnounced) return
      legacy = wallet
      found(wallet)
    })
    showWallets()
    const { only } = list
    if (page.dataset.connect !== undefined && !another && only) void signInWith(only.wallet, only.button)
  }, settledAfterMs)
}

/** The server takes a sign-in from its own pages only, and wallets warn of a text that names another address. */
function leadHome(home: URL): void {
  const line = document.createElement('p')
  line.textContent = `This page is open at ${location.origin}. People sign in to this server at ${home.origin}.`
  const notice = document.createElement('div')
  notice.className = 'notice warning'
  notice.append(line)
  const link = document.createElement('a')
  link.className = 'button'
  link.href = home.href + location.search
  link.textContent = `Go on at ${home.host}`
  wayIn.replaceWith(notice, link)
}

const home = new URL(page.dataset.home!)
const isSecond = wayIn.dataset.second !== undefined
const another = document.getElementById('another')
const signOut = document.getElementById('sign-out')

function open(): void {
  wayIn.hidden = false
  lookForWallets()
}

another?.addEventListener('click', () => {
  if (wayIn.hidden) {
    open()
    another.setAttribute('aria-expanded', 'true')
  }
  heading.focus()
})

signOut?.addEventListener('click', async () => {
  const isCurrent = begin()
  if (!isCurrent) return
  try {
    say('Signing out …')
    await api.signOut(signOut.dataset.csrf!)
    location.reload()
  } catch (error) {
    if (isCurrent()) fail(wordsFor(error), signOut)
  }
})

// A page that the browser kept shows who was signed in when it was left.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

if (home.origin !== location.origin) leadHome(home)
else {
  byId('this-page').textContent = location.href
  offerCopies(wayIn)
  if (signOut) signOut.hidden = false
  if (another) another.hidden = !isSecond
  if (!isSecond) open()
}
