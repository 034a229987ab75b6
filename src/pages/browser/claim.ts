/**
 * Runs on /operator/claim. The token comes in the fragment of the address and is removed at once, so no history keeps
 * it. While the person signs in, only this tab holds it.
 */

import { makeElement, requireElement } from '../../web/ui/dom.ts'
import { operatorLink as words } from '../words/en/operator-link.ts'
import { Attempts } from './attempt.ts'
import { call, isSessionOver, Refusal } from './json-api.ts'
import { offerCopies } from './offer-copies.ts'
import { describeError } from './words.ts'

const page = requireElement('claim')
const { api, next, csrf, program, signIn } = page.dataset
const attempts = new Attempts({
  status: requireElement('status'),
  problem: requireElement('problem'),
  busy: page,
  failed: words.notDone,
})
const place = 'proofgate operator claim'

const given = location.hash.slice(1)
if (given !== '') {
  sessionStorage.setItem(place, given)
  history.replaceState(null, '', location.pathname + location.search)
}
const token = sessionStorage.getItem(place)
const accept = document.getElementById('accept')

const renderNewLink = (): HTMLElement =>
  makeElement('pre', { class: 'code', 'data-copy': words.copyCommand }, `${program} operator link`)

function showUnusable(why: string): void {
  attempts.fail(makeElement('div', {}, makeElement('p', {}, why), makeElement('p', {}, words.newLink), renderNewLink()))
  offerCopies()
  document.getElementById('ask')?.remove()
}

/** Errors: those of call. */
const isSignedIn = (): Promise<boolean> =>
  call(new URL('../auth/me', new URL(api!, location.href)).href).then(({ authenticated }) => authenticated !== false)

const describeFailure = (error: unknown): string =>
  error instanceof Refusal && error.code === 'RATE_LIMIT_EXCEEDED' && error.retryAfterSeconds !== undefined
    ? words.tooMany(error.retryAfterSeconds)
    : describeError(error)

/** Forgets the token where the server knows it no more. Errors: those of call, as well as `error`. */
async function explainFailure(error: unknown): Promise<void> {
  if (isSessionOver(error)) return showSessionOver()
  if (!(error instanceof Refusal && error.code === 'NOT_FOUND')) throw error
  // Strangers are not told that this address exists.
  if (!(await isSignedIn())) return showSessionOver()
  sessionStorage.removeItem(place)
  showUnusable(words.used)
}

/** The token stays in this tab, and signing in leads back. */
function showSessionOver(): void {
  const link = makeElement('a', { class: 'button secondary', href: signIn! }, words.signInAgain)
  attempts.fail(
    makeElement('div', {}, makeElement('p', {}, words.sessionOver), makeElement('p', {}, link)),
    link,
    'warning',
  )
}

if (page.dataset.over !== undefined) {
  // The token is good for nothing any more.
  sessionStorage.removeItem(place)
  offerCopies()
} else if (token === null) showUnusable(words.incomplete)

accept?.addEventListener('click', async () => {
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.making)
    await call(api!, { body: { token }, headers: { 'x-csrf-token': csrf! } })
    sessionStorage.removeItem(place)
    location.replace(next!)
  } catch (error) {
    if (!isCurrent()) return
    await explainFailure(error).catch((failure: unknown) => attempts.fail(describeFailure(failure), accept))
  }
})
