/** Runs on /proof/{qHash}: checks a portable proof in the page. It sends nothing, so it works without a connection. */
import { verifyEnvelope } from '../../client/offline.ts'
import { type Child, makeElement, requireElement, shortenAddress } from '../../web/ui/dom.ts'
import { proofCheck as words } from '../words/en/proof.ts'

/** Content of 50,000 characters and what surrounds it, as JSON, are smaller. */
const mostBytes = 1_000_000

const place = requireElement('check')
const verdict = requireElement('verdict')
const file = requireElement<HTMLInputElement>('portable')

file.addEventListener('change', async () => {
  const chosen = file.files?.[0]
  if (!chosen) return
  verdict.replaceChildren(makeElement('p', {}, words.checking))
  const { kind, says } = await check(chosen)
  verdict.replaceChildren(makeElement('p', { class: `notice ${kind}` }, ...says))
  // The same file can be chosen again.
  file.value = ''
})

interface Verdict {
  readonly kind: 'good' | 'danger' | 'warning'
  readonly says: readonly Child[]
}

async function check(chosen: File): Promise<Verdict> {
  if (chosen.size > mostBytes) return { kind: 'danger', says: [words.tooLarge] }
  const proof = readProof(await chosen.text())
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
