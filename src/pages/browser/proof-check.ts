/**
 * Runs on /proof/{qHash}: checks a portable proof in the page. It sends nothing, so it works without a connection. Only
 * the owner's kept copy is fetched first.
 */
import { verifyEnvelope } from '../../client/offline.ts'
import { type Child, makeElement, requireElement, shortenAddress } from '../../web/ui/dom.ts'
import { proofCheck as words } from '../words/en/proof.ts'
import { call } from './json-api.ts'
import { renderSignIn } from './session-over.ts'
import { describeError } from './words.ts'

/** Content of 50,000 characters and what surrounds it, as JSON, are smaller. */
const mostBytes = 1_000_000

const place = requireElement('check')
const verdict = requireElement('verdict')
const file = requireElement<HTMLInputElement>('portable')

file.addEventListener('change', async () => {
  const chosen = file.files?.[0]
  if (!chosen) return
  say(words.checking)
  show(chosen.size > mostBytes ? { kind: 'danger', says: [words.tooLarge] } : await check(await chosen.text()))
  // The same file can be chosen again.
  file.value = ''
})

/** The address of the server. */
const readRoot = (api: string): string => new URL('../..', new URL(api, location.href)).href

const kept = document.getElementById('kept') as HTMLButtonElement | null
kept?.addEventListener('click', async () => {
  if (kept.getAttribute('aria-disabled') === 'true') return
  kept.setAttribute('aria-disabled', 'true')
  say(words.fetching)
  show(await fetchKept(kept.dataset.api!).then(check).catch(explain))
  kept.removeAttribute('aria-disabled')
})

const say = (text: string): void => verdict.replaceChildren(makeElement('p', {}, text))

const show = ({ kind, says }: Verdict): void =>
  verdict.replaceChildren(makeElement('p', { class: `notice ${kind}` }, ...says))

/** As the file that the owner would have chosen. Errors: those of call(). */
async function fetchKept(api: string): Promise<string | undefined> {
  const { portableProof } = await call(`${api}proofs/${place.dataset.qhash}?includePortable=true`)
  return portableProof === undefined ? undefined : JSON.stringify(portableProof)
}

const explain = (error: unknown): Verdict => ({
  kind: 'warning',
  says: [`${words.notFetched} ${describeError(error)}`],
})

interface Verdict {
  readonly kind: 'good' | 'danger' | 'warning'
  readonly says: readonly Child[]
}

async function check(text: string | undefined): Promise<Verdict> {
  if (text === undefined)
    return { kind: 'warning', says: [words.noCopy, ' ', renderSignIn(readRoot(kept!.dataset.api!))] }
  const proof = readProof(text)
  if (!proof) return { kind: 'danger', says: [words.unreadable] }
  const { verdict: outcome, checks } = await verifyEnvelope(proof)
  if (outcome === 'undecided') return { kind: 'warning', says: [words.undecided] }
  if (outcome === 'invalid') {
    const faults = [
      checks.qHash ? '' : ` ${words.wrongId}`,
      checks.did ? '' : ` ${words.wrongDid}`,
      checks.signature ? '' : ` ${words.wrongSignature}`,
    ]
    return { kind: 'danger', says: [words.invalid, ...faults] }
  }
  if (proof.qHash.toLowerCase() !== place.dataset.qhash) return { kind: 'warning', says: [words.otherProof] }
  const wallet = makeElement(
    'span',
    { class: 'address', title: proof.walletAddress },
    shortenAddress(proof.walletAddress),
  )
  return { kind: 'good', says: words.valid(wallet) }
}

interface Portable {
  readonly qHash: string
  readonly walletAddress: string
}

/** The file itself, or an answer of the API that holds it. */
function readProof(text: string): Portable | undefined {
  try {
    const given = JSON.parse(text)
    const proof = given?.data?.portableProof ?? given?.portableProof ?? given
    return typeof proof?.qHash === 'string' && typeof proof.walletAddress === 'string' ? proof : undefined
  } catch {
    return undefined
  }
}

place.hidden = false
